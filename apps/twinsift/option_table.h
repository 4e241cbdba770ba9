// SPDX-License-Identifier: Apache-2.0
// Every option: who understands it, what it means, and who may set it.
#pragma once

#include <array>

#include "table_rows.h"

namespace twinsift::cli {

inline constexpr unsigned kSearches = kFind | kDedup;
inline constexpr unsigned kRuns = kFind | kCompare | kDedup;
inline constexpr unsigned kActs = kApply | kUndo | kPurge;
// The commands that read configuration files.
inline constexpr unsigned kConfigured =
    kRuns | kActs | kTune | kEval | kTrain | kPlan | kIndex | kQuery | kConfig | kPeer;

// clang-format off
inline constexpr std::array kOptions = {
    Option{kFind | kQuery, Group::kMatching, 0, "level", Kind::kChoice, "same|edited|similar",
        "How alike files must be: the same text in another form (0.8), edited (0.6) or similar "
        "(0.4). The default is 'same'.", Trust::kProject},
    Option{kFind | kQuery, Group::kMatching, 0, "threshold", Kind::kShare, "X",
        "How alike two texts must be, from 0 to 1; wins over --level.", Trust::kProject},
    Option{kCompare | kDedup | kTune, Group::kMatching, 0, "threshold", Kind::kShare, "X",
        "How alike two texts must be to count as duplicates, from 0 to 1. The default is 0.8.", Trust::kProject},
    Option{kSearches | kTune | kQuery, Group::kMatching, 0, "recall", Kind::kShare, "X",
        "With which probability each pair at the threshold must be found. The default is 0.99. Of recordings, each "
        "pair that comparing finds is compared with this probability if it shares as much as the run says.", Trust::kProject},
    Option{kRuns | kIndex | kQuery, Group::kMatching, 0, "features", Kind::kText, "SPEC",
        "What of a text is compared: words:N (runs of N words), chars:N (runs of N characters), terms "
        "(stemmed words) or tfidf (terms, rare ones weigh more). The default is words:5.", Trust::kProject},
    Option{kFind | kCompare | kIndex | kQuery, Group::kMatching, 0, "pictures", Kind::kText, "gist|pdq|words",
        "What of a picture is compared: gist (a code that finds, and a thumbnail that decides), pdq (the code "
        "that trust-and-safety systems exchange, which is then among the facts), or, to do as the papers do, "
        "words (visual words, like those of a text) or words:tfidf (rare ones weigh more); siamese:FILE for the "
        "codes of a network that 'train siamese' made. The default is gist.",
        Trust::kUser},
    Option{kFind | kCompare | kIndex | kQuery | kEval, Group::kMatching, 0, "sound", Kind::kText, "print|fooid|chromaprint",
        "What of a recording without a film is compared: print (found also if noisy, cut, faster or higher), or, to do "
        "as others do, fooid or chromaprint, as sets of codes. The default is print.", Trust::kProject},
    Option{kFind | kCompare | kIndex | kQuery | kEval, Group::kMatching, 0, "film", Kind::kText, "codes|keys|hsv",
        "What of a video is compared: codes (eight pictures a second), keys (key frames alone: much faster, and less "
        "is found) or, to do as the paper does, hsv (a set of colours). The default is codes.", Trust::kProject},
    Option{kCompare, Group::kMatching, 0, "sketch", Kind::kText, "SPEC",
        "Also show what a sketch says of the two, as in minhash1:k=128 or cws1: its estimate and its "
        "standard error. The default is that of 'find', with k for the threshold and a recall of 0.99.", Trust::kProject},
    Option{kCompare, Group::kMatching, 0, "filter", Kind::kText, "SPEC",
        "Also show what a filter makes of the two sketches, and how soon: gs1, bayes1, goph1, hoph1, cws1 "
        "or none. The default, with --sketch, is gs1.", Trust::kProject},
    Option{kSearches, Group::kMatching, 0, "sketch", Kind::kText, "SPEC",
        "The sketch algorithm and its parameters, as in fss1:k=256,seed=7 or hoph1:ratio=2:1. The "
        "default is fss1 (dart1 for tfidf), with k chosen for the threshold and the recall.", Trust::kProject},
    Option{kIndex, Group::kMatching, 0, "sketch", Kind::kText, "SPEC",
        "The sketch of a new collection, as in fss1:k=1024; 'compact' gives it to an old one. More "
        "components cost disk and save comparisons. The default is fss1:k=256.", Trust::kProject},
    Option{kSearches, Group::kMatching, 0, "filter", Kind::kText, "SPEC",
        "What stops the comparison of two sketches early: gs1, bayes1, goph1, hoph1, cws1 or none. The "
        "default is gs1, which keeps the recall; goph1, hoph1 and cws1 decide by the sketch alone.", Trust::kProject},
    Option{kSearches, Group::kMatching, 0, "candidates", Kind::kText, "SPEC",
        "How the pairs to compare are found: banding1, prefix1 (exact, in memory), sortmerge1 (shared "
        "values, by sorts on disk; sortmerge1:max=N leaves out values that more than N documents have) or "
        "auto. The default is auto: prefix1 where it is cheaper, otherwise banding1.", Trust::kProject},
    Option{kTune, Group::kMatching, 0, "k", Kind::kCount, "N",
        "The number of components of a sketch, up to 4096. The default is the best for both dials.", Trust::kProject},
    Option{kTune, Group::kMatching, 0, "bands", Kind::kCount, "N",
        "Judge a plan of N bands; --rows is needed, too.", Trust::kProject},
    Option{kTune, Group::kMatching, 0, "rows", Kind::kCount, "N",
        "How many components each of the bands has.", Trust::kProject},
    Option{kTune, Group::kMatching, 0, "false-positives", Kind::kShare, "X",
        "Choose by cost instead of recall: the weight of the area under the curve below the threshold. "
        "The default is 0.5.", Trust::kProject},
    Option{kTune, Group::kMatching, 0, "false-negatives", Kind::kShare, "X",
        "The weight of the area above the curve from the threshold on. The default is 0.5.", Trust::kProject},
    Option{kTune, Group::kMatching, 0, "peers", Kind::kNumber, "N", "pond: how many peers there are.", Trust::kProject},
    Option{kTune, Group::kMatching, 0, "resources", Kind::kNumber, "X",
        "pond: how many resources each of them publishes, on average.", Trust::kProject},
    Option{kTune, Group::kMatching, 0, "searches", Kind::kNumber, "N",
        "pond: how many searches there are in the time in which everything is published once.", Trust::kProject},
    Option{kTune, Group::kMatching, 0, "duplicates", Kind::kNumber, "X",
        "pond: how many near-duplicates a search finds. The default is 0; it costs messages, but does "
        "not change the choice.", Trust::kProject},
    Option{kTune, Group::kMatching, 0, "similarities", Kind::kFile, "FILE",
        "pond: how similar random pairs are, up to 1000 lines of a similarity, a tab and a weight; '-' is "
        "standard input. The default is Zipf's law: the i-th hundredth has a share of i^-2."},
    Option{kEval, Group::kMatching, 0, "quick", Kind::kFlag, "",
        "Small sizes: under two minutes instead of as long as it takes. images: copies of 20 photos instead "
        "of 157; audio, video: of 6 recordings instead of 40.", Trust::kProject},
    Option{kEval, Group::kMatching, 0, "corpus", Kind::kFile, "FILE",
        "JSON Lines with a field 'text' to measure on.", Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "images", Kind::kFolder, "DIR",
        "A folder of pictures to learn from. May be repeated.", Trust::kUser, true},
    Option{kTrain, Group::kMatching, 0, "words", Kind::kNumber, "N",
        "How many words the vocabulary has. The default is 8192.", Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "labels", Kind::kText, "self|by-folder|FILE",
        "siamese: which pictures are duplicates. The default is 'self': copies that are made of parts of each "
        "picture, and no others. 'by-folder': those in one folder below --images. FILE: lines of two paths and "
        "1 (duplicates) or 0 (not), with tabs between."},
    Option{kTrain, Group::kMatching, 0, "bits", Kind::kNumber, "N",
        "siamese: how long codes are. The default is 256, with labels 48.", Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "feature-width", Kind::kNumber, "N",
        "siamese: how many features there are before the code. The default is 256.", Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "widths", Kind::kText, "A,B,C",
        "siamese: the channels of the three blocks. The default is 64,128,256.", Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "loss", Kind::kChoice, "vector|paper|softmax",
        "siamese: the loss of pairs and codes as it was printed ('paper'), mended ('vector', the default), or "
        "how sure each picture is of its copy among all others ('softmax').",
        Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "temperature", Kind::kNumber, "X",
        "siamese: the temperature of the softmax. The default is 0.1.", Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "push", Kind::kNumber, "X",
        "siamese: how much it counts that codes are near -1 and 1. The default is 0.05, of the paper's loss 1.",
        Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "latent", Kind::kChoice, "learned|linear|alone|fitted",
        "siamese: the layer of the code learns from pairs with all others ('learned', the default), or with that of "
        "the features, so that no convolution forgets what it can ('linear'), or alone, so that "
        "the features stay as they were ('alone'), or becomes the planes that tell the features of pictures apart best "
        "('fitted'), for pictures of kinds that were not trained on.",
        Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "apart", Kind::kNumber, "SHARE",
        "siamese: how many of the pictures are kept apart, to judge by. The default is 0.05.", Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "mirrored", Kind::kFlag, "",
        "siamese: the network that comes out looks at the mirror image of a picture, too, in twice the time: both "
        "have the same code then, and classes are told better.", Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "shifted", Kind::kFlag, "",
        "siamese: the network that comes out looks at the picture shifted by a pixel, too, two ways, in three times "
        "the time: classes are told better.", Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "shares", Kind::kFlag, "",
        "siamese: with classes, a feature for each of them, which tells how likely it is, in place of "
        "--feature-width: pictures are near if they are taken for the same.", Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "cutout", Kind::kNumber, "PIXELS",
        "siamese: with labels, the side of a square that is hidden in each picture, at another place each time, while "
        "it is learnt from. The default is 0.", Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "rho", Kind::kNumber, "X",
        "siamese: how far apart strangers are to be: in X / 2 of the bits. The default is 0.5.", Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "from", Kind::kFile, "FILE",
        "siamese: begin with this model instead of random numbers. Its sizes are taken, but for --bits; classes "
        "are not learnt anew unless --class-epochs says so."},
    Option{kTrain, Group::kMatching, 0, "class-epochs", Kind::kNumber, "N",
        "siamese: how often all pictures are seen while classes are learnt, before pairs. The default is 10 "
        "with labels.", Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "epochs", Kind::kNumber, "N",
        "siamese: how often all pictures are seen in pairs. The default is 40, with labels 10. 0: classes alone "
        "are learnt, and a code is random planes of the features.", Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "patience", Kind::kNumber, "N",
        "siamese: end after N epochs that were not better than the best, judged by pictures kept apart; 0: "
        "never. The default is 10.", Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "batch", Kind::kNumber, "N",
        "siamese: how many pictures a step takes. The default is 256.", Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "class-rate", Kind::kNumber, "X",
        "siamese: how large the steps are while classes are learnt. The default is 1.", Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "smoothing", Kind::kNumber, "SHARE",
        "siamese: how much of the probability of its class a picture leaves to all classes, while they are learnt. The "
        "default is 0.1.", Trust::kProject},
    Option{kTrain, Group::kMatching, 0, "rate", Kind::kNumber, "X",
        "siamese: how large the steps are. The default is 0.2.", Trust::kProject},
    Option{kEval, Group::kMatching, 0, "images", Kind::kFolder, "DIR",
        "A folder of pictures to measure on: their visual words in 000 and 002, their GIST and bags of visual "
        "words in 001, beside altered versions of them. The folder is not changed."},
    Option{kEval, Group::kMatching, 0, "vectors", Kind::kFile, "FILE",
        "Vectors to measure 001 on: .fvecs, or lines of numbers between commas, tabs or blanks."},
    Option{kEval, Group::kMatching, 0, "recordings", Kind::kFolder, "DIR",
        "A folder of sound and films to measure 004 on, each beside attacked copies; for linkage, one that "
        "bench/make_linkage has made. The folder is not changed."},
    Option{kEval, Group::kMatching, 0, "part", Kind::kChoice, "tuning|network|peers|audio|video|linkage|classes|indexes",
        "Measure this part only: of paper 004 one of the first six, of paper 001 one of the last two."},
    Option{kEval, Group::kMatching, 0, "model", Kind::kFile, "FILE",
        "paper 001: a network of 'train siamese', one for each length of codes. May be repeated.",
        Trust::kUser, true},
    Option{kEval, Group::kMatching, 0, "backbone", Kind::kFile, "FILE",
        "paper 001: the network that they began with, to compare with."},
    Option{kEval, Group::kMatching, 0, "labelled", Kind::kFolder, "DIR",
        "paper 001: pictures in folders of their classes that are stored, for Table I."},
    Option{kEval, Group::kMatching, 0, "asked", Kind::kFolder, "DIR",
        "paper 001: pictures in folders of the same names that are asked for."},
    Option{kEval | kTrain, Group::kMatching, 0, "seed", Kind::kCount, "N",
        "The seed of everything random. The default is 1.", Trust::kProject},
    Option{kEval, Group::kMatching, 0, "sketch", Kind::kText, "SPEC",
        "Let this sketch compete, too: in 000 with each --filter, or compared in full; in 002 among the "
        "samplers of weighted sets; in 003 at each k. May be repeated.", Trust::kProject, true},
    Option{kEval, Group::kMatching, 0, "filter", Kind::kText, "SPEC",
        "Let this filter compete, too: in 000 on each --sketch, or on that of OPH; in 002 with the paper's "
        "filter. May be repeated.", Trust::kProject, true},
    Option{kEval, Group::kMatching, 0, "half", Kind::kChoice, "all|even|odd",
        "images, audio, video: which of the originals are judged, by their number. The default is 'all'.", Trust::kProject},
    Option{kEval, Group::kMatching, 0, "same", Kind::kFile, "FILE",
        "images, audio, video: pairs of files in DIR that show or sound the same, one a line with a tab between "
        "the paths; confusing these is no error. Files with equal bytes are known to be the same."},
    Option{kFind, Group::kMatching, 0, "exact", Kind::kFlag, "", "Only files with equal bytes.", Trust::kProject},
    Option{kFind, Group::kMatching, 0, "cross", Kind::kFlag, "",
        "Only pairs that lie below different arguments.", Trust::kProject},
    Option{kFind, Group::kMatching, 0, "ref", Kind::kFolder, "DIR",
        "Compare with the files of this folder, too; they are the ones to keep. May be repeated.", Trust::kUser, true},
    Option{kFind, Group::kMatching, 0, "no-folders", Kind::kFlag, "", "Do not look for similar folders.", Trust::kProject},

    Option{kPeer, Group::kMatching, 0, "threshold", Kind::kShare, "X",
        "start: how alike two sets must be for the network to promise that they are found; all its peers must say the "
        "same. The default is 0.8. query: how alike answers must be; the default is that of the network, and below it "
        "nothing is promised.", Trust::kProject},
    Option{kPeer, Group::kMatching, 0, "recall", Kind::kShare, "X",
        "start: with which probability the network finds each such pair; all its peers must say the same. The default is 0.9.",
        Trust::kProject},
    Option{kPeer, Group::kMatching, 0, "own", Kind::kFlag, "", "query: also what this peer shares itself."},
    Option{kPeer, Group::kNetwork, 0, "network", Kind::kText, "NAME",
        "start: the network to take part in. The default is 'twinsift'."},
    Option{kPeer, Group::kNetwork, 0, "listen", Kind::kText, "ADDRESS",
        "start: where to listen, as in 192.0.2.7:4222, in UDP and TCP alike; port 0 is any, and the one of the last time "
        "if it is free. The default is 127.0.0.1:0, which only this machine can reach.", Trust::kTyped},
    Option{kPeer, Group::kNetwork, 0, "announce", Kind::kText, "ADDRESS",
        "start: where others find this peer, if that is not where it listens.", Trust::kTyped},
    Option{kPeer, Group::kNetwork, 0, "join", Kind::kText, "HOST:PORT",
        "start: a peer of the network. May be repeated. Without one the peer joins those it knew, or begins a network.",
        Trust::kUser, true},
    Option{kPeer, Group::kNetwork, 0, "secret-file", Kind::kFile, "FILE",
        "start: a file with the secret of a closed network, which nobody else can read."},
    Option{kPeer, Group::kNetwork, 0, "allow", Kind::kText, "KEY",
        "start: a peer that may ask, and whose answers count. May be repeated; without it, all may."
        , Trust::kUser, true},
    Option{kPeer, Group::kNetwork, 0, "labels", Kind::kChoice, "wide|pond1",
        "start: what is published: wide labels with a sketch, or the 1-bit labels of the paper. All peers of a network must "
        "say the same. The default is 'wide'."},
    Option{kPeer, Group::kNetwork, 0, "period", Kind::kAge, "AGE",
        "start: everything is published once in this time and forgotten by others after three times as long; all peers of a "
        "network must say the same. The default is 1h."},
    Option{kPeer, Group::kNetwork, 0, "rate", Kind::kNumber, "N",
        "start: how many labels are published in a second at most. The default is 20."},
    Option{kPeer, Group::kNetwork, 0, "key", Kind::kFile, "FILE",
        "start: the key by which others know this peer; it is made if it is not there. The default is in the state folder."},
    Option{kPeer, Group::kFiles, 0, "collection", Kind::kFolder, "DIR",
        "start: the collection that is shared. The default is that of 'find'."},
    Option{kPeer, Group::kFiles, 0, "share-nothing", Kind::kFlag, "",
        "start: share no collection; ask, and store entries of others."},
    Option{kPeer, Group::kFiles, 0, "state", Kind::kFolder, "DIR",
        "What the peer keeps: its key, whom it knew, and the socket by which it is commanded. One peer runs for each. The "
        "default is $XDG_STATE_HOME/twinsift/peer, or the same below ~/.local/state."},

    Option{kQuery, Group::kMatching, 0, "limit", Kind::kCount, "N",
        "The best N contents; 0 means all. The default is 20.", Trust::kProject},
    Option{kQuery, Group::kMatching, 0, "signature", Kind::kText, "TEXT",
        "Ask with a signature that --show-signature has printed, instead of an item. Scores are then "
        "estimates.", Trust::kTyped},
    Option{kIndex, Group::kMatching, 0, "as", Kind::kChoice, "not-duplicate|related|none",
        "With 'mark': what two files are to each other; 'none' takes it back.", Trust::kTyped},

    Option{kFind | kIndex | kQuery, Group::kFiles, 0, "index", Kind::kFolder, "DIR",
        "The collection. The default is $XDG_DATA_HOME/twinsift/collection, or the same below "
        "~/.local/share."},
    Option{kApply | kUndo, Group::kFiles, 0, "index", Kind::kFolder, "DIR",
        "The collection that is told of what has gone, or is back. The default is that of 'find'."},
    Option{kFind, Group::kFiles, 0, "no-index", Kind::kFlag, "", "Use and make no collection."},
    Option{kApply | kUndo, Group::kFiles, 0, "no-index", Kind::kFlag, "", "Tell no collection."},
    Option{kFind | kIndex, Group::kFiles, 0, "retry-failed", Kind::kFlag, "",
        "Try again to read files that could not be decoded before."},
    Option{kFind | kIndex, Group::kFiles, 0, "hidden", Kind::kFlag, "", "Also files and folders whose names begin with a dot.", Trust::kProject},
    Option{kFind | kIndex, Group::kFiles, 0, "follow-links", Kind::kFlag, "", "Follow symbolic links below the arguments."},
    Option{kFind | kIndex, Group::kFiles, 0, "one-file-system", Kind::kFlag, "", "Do not cross into other file systems.", Trust::kProject},
    Option{kFind | kIndex, Group::kFiles, 0, "min-size", Kind::kSize, "SIZE",
        "Leave out smaller files. The default is 1, which leaves out empty ones.", Trust::kProject},
    Option{kFind | kIndex, Group::kFiles, 0, "max-size", Kind::kSize, "SIZE", "Leave out larger files.", Trust::kProject},
    Option{kFind | kIndex, Group::kFiles, 0, "max-depth", Kind::kCount, "N",
        "Descend at most N folders below the arguments; 0 means the arguments themselves.", Trust::kProject},
    Option{kFind | kIndex, Group::kFiles, 0, "name", Kind::kText, "GLOB",
        "Only files whose name matches, as in '*.txt'. May be repeated.", Trust::kProject, true},
    Option{kFind | kIndex, Group::kFiles, 0, "exclude", Kind::kText, "GLOB",
        "Leave out files and folders whose name or path matches. May be repeated.", Trust::kProject, true},
    Option{kFind, Group::kFiles, 0, "new-since", Kind::kTime, "TIME",
        "Show only groups with a file that was modified since, and folders with one below: 2026-01-31, "
        "2026-01-31T12:00, or an age such as 7d, 12h or 2w. All files are compared all the same.", Trust::kProject},
    Option{kFind, Group::kFiles, 0, "import", Kind::kFile, "REPORT",
        "Instead of looking for duplicates, look at those that another program found: a report of "
        "czkawka, fclones or rmlint (JSON), of fdupes or jdupes, or of twinsift; '-' is standard input."},
    Option{kFind, Group::kFiles, 0, "files0-from", Kind::kFile, "FILE",
        "Also the paths listed in FILE, each ended by a NUL byte; '-' is standard input."},

    Option{kIndex, Group::kCorpus, 0, "corpus", Kind::kFlag, "",
        "The paths are JSON Lines or CSV files; every document of them is an item.", Trust::kProject},
    Option{kDedup | kIndex, Group::kCorpus, 0, "text-field", Kind::kText, "NAME",
        "The field that holds the text. The default is 'text'.", Trust::kProject},
    Option{kDedup, Group::kCorpus, 0, "id-field", Kind::kText, "NAME",
        "The field that names a document. The default is the number of its line, from 0.", Trust::kProject},
    Option{kDedup | kIndex, Group::kCorpus, 0, "input-format", Kind::kChoice, "jsonl|csv",
        "The format of the inputs. The default is to look at name and content.", Trust::kProject},
    Option{kDedup, Group::kCorpus, 0, "keep", Kind::kChoice, "first|longest",
        "Which document of a group stays. The default is 'first'.", Trust::kProject},
    Option{kDedup, Group::kCorpus, 0, "drop", Kind::kChoice, "extra|all",
        "Drop all but the one that stays, or every document of a group. The default is 'extra'.", Trust::kProject},
    Option{kDedup, Group::kCorpus, 0, "against", Kind::kFile, "FILE",
        "Also drop what resembles a document of this corpus. May be repeated.", Trust::kProject, true},

    Option{kPlan, Group::kActing, 0, "keep", Kind::kText, "RULES",
        "Which file of a group stays: rules parted by commas, of which the first that decides wins. "
        "protected, in:GLOB, not-in:GLOB, name:REGEX, original, lossless, resolution, bitrate, duration, "
        "quality, subtitles, metadata (or tags), size-max, size-min, oldest, newest, shortest-path, "
        "longest-path, depth-min, links-max, longest-text, first; or a profile: photos, music, video, "
        "corpus, auto. The default is auto: by the medium, and else what the report would keep."},
    Option{kPlan, Group::kActing, 0, "action", Kind::kChoice,
        "quarantine|hardlink|symlink|reflink|delete-list",
        "What is to become of the others: moved where 'undo' finds them, replaced by links to the file "
        "that stays (equal files only), or listed for another program. The default is quarantine."},
    Option{kPlan, Group::kActing, 0, "protect", Kind::kFolder, "DIR",
        "No file below this folder may go. May be repeated.", Trust::kProject, true, true},
    Option{kPlan, Group::kActing, 0, "reviewed", Kind::kFlag, "",
        "Mark the near-duplicates as looked at by a person, which files that are not equal need.", Trust::kTyped},
    Option{kApply, Group::kActing, 0, "yes", Kind::kFlag, "",
        "Do it. Without this nothing is touched: what would be done is shown.", Trust::kTyped},
    Option{kPurge, Group::kActing, 0, "yes", Kind::kFlag, "",
        "Free the space for good. Without this nothing is touched: what would be freed is shown.", Trust::kTyped},
    Option{kApply, Group::kActing, 0, "continue", Kind::kText, "RUN",
        "Go on with a run that was killed or interrupted, by the copy of its plan.", Trust::kTyped},
    Option{kApply, Group::kActing, 0, "protect", Kind::kFolder, "DIR",
        "Refuse a plan that touches anything in this folder, beside those that the plan protects. May be "
        "repeated.", Trust::kProject, true, true},
    Option{kApply, Group::kActing, 0, "allow-wipeout", Kind::kFolder, "PATH",
        "Do not refuse a plan because it takes most of what is in this folder. May be repeated.", Trust::kTyped, true},
    Option{kApply, Group::kActing, 0, "unreviewed", Kind::kFlag, "",
        "Also quarantine near-duplicates that nobody has reviewed.", Trust::kTyped},
    Option{kUndo, Group::kActing, 0, "list", Kind::kFlag, "",
        "Show all runs, and what of each is in the quarantine; undo nothing.", Trust::kTyped},
    Option{kPurge, Group::kActing, 0, "older-than", Kind::kAge, "AGE",
        "How long ago an action must have been done, as in 30d; s, m, h, d and w are known."},

    Option{kApply, Group::kOutput, 'o', "output", Kind::kFile, "FILE",
        "Write the paths of a delete-list to FILE, which appears only when it is complete; '-' is "
        "standard output."},
    Option{kApply, Group::kOutput, '0', "null", Kind::kFlag, "",
        "End each path of a delete-list with a NUL byte instead of a newline."},
    Option{kRuns | kPlan, Group::kOutput, 'o', "output", Kind::kFile, "FILE",
        "Write the result to FILE, which appears only when it is complete; '-' is standard output."},
    Option{kTrain, Group::kOutput, 'o', "output", Kind::kFile, "FILE",
        "Write the model to FILE, which appears only when it is complete."},
    Option{kTrain, Group::kOutput, 0, "plot", Kind::kFile, "FILE",
        "siamese: draw how the loss went, as SVG."},
    Option{kTrain, Group::kOutput, 0, "checkpoint", Kind::kFile, "FILE",
        "siamese: where an interrupted training is kept, and where it goes on from. The default is the name of "
        "the model and '.part'."},
    Option{kTrain, Group::kOutput, 0, "checkpoint-every", Kind::kAge, "AGE",
        "siamese: how often that is written. The default is 1m; Ctrl-C writes it, too."},
    Option{kEval, Group::kOutput, 'o', "output", Kind::kFolder, "DIR",
        "The folder for tables and page. The default is eval-NUMBER. images, audio, video: a new or empty "
        "folder that keeps the copies and the list of confusions; without it nothing is kept. audio and video go "
        "on with the folder of an earlier run."},
    Option{kDedup, Group::kOutput, 0, "pairs", Kind::kFile, "FILE",
        "Write every pair of near-duplicates as {\"a\", \"b\", \"score\"}."},
    Option{kDedup, Group::kOutput, 0, "clusters", Kind::kFile, "FILE",
        "Write the group of every document as {\"id\", \"cluster\", \"keeper\"}."},
    Option{kFind, Group::kOutput, 0, "format", Kind::kChoice, "text|json|ndjson|csv|fdupes|html",
        "The format of the result. The default is 'text'.", Trust::kProject},
    Option{kCompare, Group::kOutput, 0, "format", Kind::kChoice, "text|json|html",
        "The format of the result. The default is 'text'.", Trust::kProject},
    Option{kDedup, Group::kOutput, 0, "format", Kind::kChoice, "text|json",
        "The format of the summary: text on standard error, or json on standard output (on "
        "standard error if that takes the corpus). The default is 'text'.", Trust::kProject},
    Option{kConfig, Group::kOutput, 0, "show-origin", Kind::kFlag, "",
        "Also say where each value comes from; for one command, also which options nobody sets."},
    Option{kConfig, Group::kOutput, 0, "format", Kind::kChoice, "text|json",
        "The format of the list; text is TOML, as in a configuration file. The default is 'text'.", Trust::kProject},
    Option{kTune, Group::kOutput, 0, "format", Kind::kChoice, "text|json",
        "The format of the table. The default is 'text'.", Trust::kProject},
    Option{kEval, Group::kOutput, 0, "format", Kind::kChoice, "text|json",
        "images, audio, video: the format of the scores. The default is 'text'.", Trust::kProject},
    Option{kActs, Group::kOutput, 0, "format", Kind::kChoice, "text|json",
        "The format of what was or would be done. The default is 'text'.", Trust::kProject},
    Option{kTune, Group::kOutput, 0, "plot", Kind::kFile, "FILE",
        "Also draw the probabilities, or for pond the messages, as an SVG file with the choice marked."},
    Option{kIndex | kQuery, Group::kOutput, 0, "format", Kind::kChoice, "text|json",
        "The format of the result. The default is 'text'.", Trust::kProject},
    Option{kPeer, Group::kOutput, 0, "format", Kind::kChoice, "text|json|ndjson",
        "The format of the result; text and ndjson come as they are found. The default is 'text'.", Trust::kProject},
    Option{kQuery, Group::kOutput, 0, "show-signature", Kind::kFlag, "",
        "Print the signature of the item, by which others can ask without having it."},
    Option{kRuns | kActs | kTune | kEval | kIndex | kQuery | kPeer | kConfig, Group::kOutput, 0, "json", Kind::kFlag, "", "Short for --format json.", Trust::kProject},
    Option{kFind | kCompare, Group::kOutput, 0, "explain", Kind::kFlag, "",
        "Show the passages that two texts share, or the key points that two pictures do. The html "
        "format always does.", Trust::kProject},
    Option{kFind, Group::kOutput, '0', "null", Kind::kFlag, "",
        "End each path of the text and fdupes formats with a NUL byte instead of a newline."},
    Option{kRuns | kQuery | kPeer, Group::kOutput, 0, "exit-code", Kind::kFlag, "",
        "Exit with 1 if near-duplicates were found.", Trust::kProject},
    Option{kFind | kCompare, Group::kOutput, 0, "color", Kind::kChoice, "auto|always|never",
        "Use colours. The default is 'auto': on a terminal, unless NO_COLOR is set.", Trust::kProject},

    Option{kSearches | kTrain | kPlan | kIndex, Group::kResources, 0, "threads", Kind::kCount, "N",
        "How many threads work. The default is 0, which is one per core."},
    Option{kSearches, Group::kResources, 0, "memory", Kind::kSize, "SIZE",
        "How much memory to use, as in 4G; what does not fit goes to temporary files. At least 16 MB "
        "and 100 bytes for each document are needed. The default is half of the machine's."},
    Option{kSearches, Group::kResources, 0, "temp-dir", Kind::kFolder, "DIR",
        "Where to put what does not fit into memory. The default is $TMPDIR or /tmp."},
    Option{kEval, Group::kResources, 0, "threads", Kind::kCount, "N",
        "images, audio, video: how many threads work. The default is 0, which is one per core."},
    Option{kEval, Group::kResources, 0, "temp-dir", Kind::kFolder, "DIR",
        "images, audio, video: where the copies are while they are needed. The default is $TMPDIR or /tmp."},

    Option{kSearches | kEval | kTrain | kPlan | kIndex, Group::kGeneral, 0, "no-progress", Kind::kFlag, "", "Do not show progress.", Trust::kProject},
    Option{kPeer, Group::kGeneral, 0, "background", Kind::kFlag, "",
        "start: return as soon as the peer works, and let it run.", Trust::kTyped},
    Option{kRuns | kActs | kEval | kTrain | kPlan | kIndex | kQuery | kPeer, Group::kGeneral, 'q', "quiet", Kind::kFlag, "", "Print results and fatal errors only."},
    Option{kSearches | kIndex | kQuery | kPeer, Group::kGeneral, 'v', "verbose", Kind::kFlag, "", "Also say what each stage did.", Trust::kProject},
    Option{kPlan, Group::kGeneral, 'v', "verbose", Kind::kFlag, "", "Name every file that was left out.", Trust::kProject},
    Option{kConfigured, Group::kGeneral, 0, "no-config", Kind::kFlag, "", "Read no configuration file.", Trust::kTyped},
    Option{kManual, Group::kGeneral, 0, "markdown", Kind::kFlag, "", "Print the whole manual as Markdown."},
    Option{kEvery, Group::kGeneral, 'h', "help", Kind::kFlag, "", "Print this text.", Trust::kTyped},
};
// clang-format on

}  // namespace twinsift::cli
