// SPDX-License-Identifier: Apache-2.0
// Every command: its operands, what it does, and examples.
#pragma once

#include <array>
#include <cstdint>

#include "table_rows.h"

namespace twinsift::cli {

inline constexpr std::size_t kAny = SIZE_MAX;

// clang-format off
inline constexpr std::array kCommands = {
    Command{kFind, "find", "PATH...", 0, kAny, "find near-duplicate files",
        "Looks at every file below the given paths and prints the groups of files that hold the "
        "same text or show the same picture, or nearly so, whatever their names, encodings or formats; then "
        "the folders that share content. Every reported pair was compared exactly. No file is ever changed.",
        {{{"twinsift find ~/Documents", "Show the groups of near-duplicates below a folder."},
          {"twinsift find ~/new --ref ~/archive --cross", "Show what of 'new' the archive already has."},
          {"twinsift find ~/Pictures --level edited --format html -o report.html",
           "Find parts of pictures, too, and write a page that shows them."}}},
        true},
    Command{kCompare, "compare", "A B", 2, 2, "say how alike two files are, and why",
        "Compares two files and prints their similarity, how much of each is contained in the "
        "other and the longest passage they share. With --sketch or --filter it also says what a "
        "sketch, by which large runs save their time, would have made of them.",
        {{{"twinsift compare draft.txt final.txt", "Show how alike two texts are."},
          {"twinsift compare old.html new.txt --explain", "Show the shared passages, too."},
          {"twinsift compare a.txt b.txt --sketch oph1:k=256", "See how far a sketch is off."}}},
        true},
    Command{kPlan, "plan", "[REPORT]", 0, 1, "decide which duplicates could go, and write that down",
        "Reads a report ('find --format json' or ndjson, or one of czkawka, fclones, rmlint, fdupes "
        "or jdupes; '-' or none: standard input), looks at every file again, and writes a plan: one "
        "line for each file that could go, with the file that stays, the rule that decided, what "
        "would be lost, and the proof. No file is touched; the plan can be read and edited.",
        {{{"twinsift find ~/Pictures --json | twinsift plan -o plan.ndjson", "Plan for all that was found."},
          {"twinsift plan r.json --keep 'in:~/Master, oldest' --protect ~/Master",
           "Keep what is in Master, else the oldest."},
          {"twinsift plan rmlint.json --action hardlink -o plan.ndjson", "Plan for what another program found."}}}},
    Command{kApply, "apply", "[PLAN]", 0, 1, "do what a plan says, so that it can be undone",
        "Shows what the plan would do; with --yes, does it. The whole plan is checked first, and refused "
        "if one line of it breaks a rule; then each pair is compared once more, and what has changed is "
        "skipped. Files that go are kept in a quarantine on their own file system, and 'undo' brings them "
        "back. A run that was killed or interrupted is continued by the same command. The collection "
        "forgets the paths that have gone and remembers contents that are nowhere any more.",
        {{{"twinsift apply plan.ndjson", "Show what would be done."},
          {"twinsift apply plan.ndjson --yes", "Do it."},
          {"twinsift apply plan.ndjson --yes -0 -o list", "Write the list of a delete-list plan."}}},
        true},
    Command{kUndo, "undo", "[RUN]", 0, 1, "put back what a run took away",
        "Brings every file of a run back to its place, with its content, dates, owner, attributes and "
        "links: of the last run, or of the one that is named. A file that has appeared at the old place "
        "since is never replaced. Undo can be repeated.",
        {{{"twinsift undo", "Take the last run back."},
          {"twinsift undo --list", "Show all runs."},
          {"twinsift undo 20260131T120000.123456Z-3fa9", "Take a certain run back."}}},
        true},
    Command{kPurge, "purge", "--older-than AGE", 0, 0, "free for good what old runs left in the quarantine",
        "Shows which quarantined files are old enough; with --yes, deletes them. Nothing else frees their "
        "space, and nothing brings them back. A file whose keeper is gone or has changed may be the last "
        "copy and stays.",
        {{{"twinsift purge --older-than 30d", "Show what would be freed."},
          {"twinsift purge --older-than 30d --yes", "Free it for good."}}},
        true},
    Command{kDedup, "dedup", "IN... -o OUT", 1, kAny, "remove near-duplicate documents from a corpus",
        "Reads JSON Lines or CSV (plain, .gz or .zst; '-' is standard input), one document per "
        "line, and writes the lines that stay, unchanged and in their order. Of each group of "
        "near-duplicates one document stays. The inputs are never changed.",
        {{{"twinsift dedup corpus.jsonl -o clean.jsonl", "Keep one document of each group."},
          {"twinsift dedup train.jsonl --against test.jsonl -o train-clean.jsonl",
           "Drop from 'train' whatever is in 'test'."},
          {"twinsift dedup a.jsonl.zst b.jsonl.zst --pairs pairs.jsonl", "List the pairs, write no corpus."}}},
        true},
    Command{kIndex, "index", "ACTION [PATH...]", 1, kAny, "keep a collection of what was seen",
        "The collection remembers every file that 'find' has looked at, so that the next run reads only "
        "what is new. Actions: 'build' makes a new one, 'add' and 'remove' change it, 'stat' describes it, "
        "'verify' checks every byte, 'repair' makes the best of a damaged one, 'compact' frees what is no "
        "longer needed, and 'mark A B' remembers what a person says of two files.",
        {{{"twinsift index add ~/Documents", "Know everything below a folder."},
          {"twinsift index add --corpus crawl.jsonl.zst", "Know every document of a corpus."},
          {"twinsift index mark a.txt b.txt --as not-duplicate", "Never group these two again."}}}},
    Command{kQuery, "query", "ITEM", 0, 1, "find what resembles one file or text",
        "Looks one file up, or the text on standard input ('-'), among everything the collection has "
        "ever seen, also on drives that are not plugged in. Every answer was compared exactly.",
        {{{"twinsift query letter.txt", "Do I have this already, and where?"},
          {"pbpaste | twinsift query - --level similar", "The same for a text."},
          {"twinsift query new.txt --limit 5 --json", "The five best, for a program."}}},
        true},
    Command{kPeer, "peer", "start|query|publish|status|stop [ITEM]", 1, 2, "search on the machines of others, and let them search here",
        "A peer shares what a collection knows with others, without a server: texts, pictures and recordings as sets of "
        "numbers, and file names without folders; never the files. 'start' runs one until it is stopped, 'query' asks all "
        "others for what resembles a file, or the text on standard input ('-'), and prints answers as they come; each was "
        "compared exactly. 'publish' publishes everything again at once, 'status' describes the running peer and 'stop' "
        "ends it. docs/peers.md tells what is promised, what is not, and what others can see.",
        {{{"twinsift peer start --background", "Share the collection with peers of this machine, and begin a network."},
          {"twinsift peer start --listen 192.0.2.7:4222 --join 192.0.2.9:4222", "Take part in a network of machines."},
          {"twinsift peer query letter.txt", "Who has this, or nearly this?"}}},
        true},
    Command{kDoctor, "doctor", "", 0, 0, "show what this build and this machine can do",
        "Prints the version, the libraries, the processor's abilities, which formats can be "
        "read, and how much memory and temporary space there is. The exit status is 0 if all is "
        "well and 3 if something is missing.",
        {{{"twinsift doctor", "Look at everything."}}}},
    Command{kTune, "tune", "[pond]", 0, 1, "show what a threshold and a recall cost",
        "Prints the size of the sketches, the bands and rows that 'find' and 'dedup' would choose "
        "for a threshold and a recall, what they promise, and with which probability pairs of "
        "any similarity are looked at. Given --bands and --rows, it judges these instead. 'tune pond' "
        "does the same for a network of peers that publish what they have under labels of hashed bits: "
        "it finds the number of labels and bits with the fewest messages.",
        {{{"twinsift tune --threshold 0.6 --plot curve.svg", "Show the choice for a dial, draw the curve."},
          {"twinsift tune --bands 20 --rows 5 --threshold 0.7", "Judge a choice of your own."},
          {"twinsift tune pond --peers 1e5 --resources 8 --searches 1e6 --plot c.svg",
           "Plan a network of peers."}}}},
    Command{kEval, "eval", "paper NUMBER | images|audio|video DIR", 2, 2,
        "measure what a paper says, or how well copies are found",
        "'eval paper' regenerates the tables and figures of a paper that twinsift is built on, as "
        "tab-separated files and one page with plots, each beside the paper's claim and whether it holds. The "
        "papers are 000 (HOPH: hierarchical one permutation hashing), 001 (load-balanced LSH), 002 (consistent "
        "weighted sampling and its filter), 003 (shingles, MinHash, banding) and 004 (POND: labels in a "
        "network of peers, fingerprints of sound and film). Documents, pictures, vectors and recordings "
        "are made up unless --corpus, --images, --vectors or --recordings gives real ones. Sketches and filters of your choice can compete with the paper's. "
        "'eval images' makes 27 copies each of up to 157 photos below DIR (recompressed, scaled, cropped, "
        "turned, written on, ...), looks for them among all photos there as 'find' does at the levels "
        "same and edited, and prints recall and precision. 'eval audio' and 'eval video' do the same with "
        "copies of up to 40 recordings: 28 attacks on sound (recompressed, noisy, cut, faster, higher, ...) and 17 on "
        "films (recompressed, cropped, mirrored, with a logo, faster, with another song, ...), and also say "
        "whether the place of the copy in the original was told rightly. DIR is not changed.",
        {{{"twinsift eval paper 003 --quick", "See it in a minute; the page is eval-003/index.html."},
          {"twinsift eval paper 000 --sketch superminhash1 --filter gs1 --filter bayes1",
           "Let one sketch with two filters compete."},
          {"twinsift eval images ~/Pictures --format json", "Measure on your own photos, or with audio and video on recordings."}}}},
    Command{kTrain, "train", "vocabulary | codes | siamese", 1, 1, "fit a model to pictures of your own",
        "Makes what is shipped with the program again, from pictures of your own. 'vocabulary' finds key "
        "points in all pictures of a folder, at several sizes, and gathers them into visual words, by which "
        "cropped and edited copies are found. 'codes' takes parts of the pictures, makes copies of them, and "
        "fits the planes of the 256-bit codes by which whole pictures are found. 'siamese' trains a network "
        "that gives duplicates nearly equal codes: copies that it makes of your pictures, pictures of one "
        "folder, or pairs that you name. It takes minutes to hours, tells how long, and goes on where it was "
        "interrupted. A picture that cannot be read is named and left out.",
        {{{"twinsift train vocabulary --images ~/Pictures -o words.bin", "Fit a vocabulary of 8,192 words."},
          {"twinsift train codes --images a --images b -o codes.bin", "Fit codes to two folders."},
          {"twinsift train siamese --images classes --labels by-folder -o net.bin",
           "Train codes that tell the folders below 'classes' apart."}}}},
    Command{kConfig, "config", "[COMMAND]", 0, 1, "show what is set, and by whom",
        "Prints the options that the environment and the configuration files set, as such a file: for one "
        "command or for all. The files are .twinsift.toml in the working directory or above it, and "
        "$XDG_CONFIG_HOME/twinsift/config.toml; docs/CONFIG.md tells what may stand in them.",
        {{{"twinsift config --show-origin", "Show all that is set, and where."},
          {"twinsift config find --show-origin", "Show every option of 'find', also what nobody sets."},
          {"twinsift config --json", "The same for a program."}}}},
    Command{kCompletions, "completions", "bash|zsh|fish", 1, 1, "print a completion script for a shell",
        "Prints a script that teaches a shell to complete twinsift's commands and options.",
        {{{"source <(twinsift completions bash)", "Complete in this bash."},
          {"twinsift completions zsh > ~/.zfunc/_twinsift", "Install for zsh."},
          {"twinsift completions fish > ~/.config/fish/completions/twinsift.fish", "Install for fish."}}}},
    Command{kHelp, "help", "[COMMAND]", 0, 1, "explain a command",
        "Prints the same text as 'twinsift COMMAND --help'.",
        {{{"twinsift help find", "Explain 'find'."}}}},
    Command{kManual, "manual", "[COMMAND]", 0, 1, "print a man page",
        "Prints the man page of a command as roff, or the whole manual as Markdown.",
        {{{"twinsift manual find | man -l -", "Read the man page of 'find'."}}}, false, true},
};
// clang-format on

}  // namespace twinsift::cli
