# SPDX-License-Identifier: Apache-2.0
#
# Turns Debian's descriptions and documentation into documents { kind, name, text }. All texts
# are bytes of valid UTF-8. Everything depends on the content alone and files are visited in the
# order of their names, so equal packages give equal documents.

package CorpusText;

use strict;
use warnings;
use Exporter 'import';
use CorpusRoff qw(roff_to_text);

our @EXPORT_OK = qw(description_documents json_line tree_documents);

use constant {
    MIN_BYTES   => 200,       # Shorter texts have too few shingles to compare.
    CHUNK_BYTES => 8_192,     # Where a long text is cut, at the next end of a paragraph.
    LONG_BYTES  => 16_384,    # From here on a text is long.
};

my %escape = ('"' => '\\"', '\\' => '\\\\', "\n" => '\\n', "\t" => '\\t');

sub json_string {
    my ($bytes) = @_;
    $bytes =~ s/(["\\\n\t])/$escape{$1}/g;
    return "\"$bytes\"";
}

sub json_line {
    my ($document) = @_;
    return sprintf "{\"id\":%s,\"text\":%s}\n", json_string("$document->{kind}:$document->{name}"),
        json_string($document->{text});
}

# Bytes that are not UTF-8 are taken for Latin-1, which old documentation is written in. Control
# characters other than tab and newline go, with what terminals overstrike by backspace.
sub clean {
    my ($bytes) = @_;
    if ($bytes =~ /[\x80-\xff]/) {
        $bytes =~ s{
            ( [\x00-\x7f]+
            | [\xc2-\xdf][\x80-\xbf]
            | \xe0[\xa0-\xbf][\x80-\xbf]
            | [\xe1-\xec\xee\xef][\x80-\xbf]{2}
            | \xed[\x80-\x9f][\x80-\xbf]
            | \xf0[\x90-\xbf][\x80-\xbf]{2}
            | [\xf1-\xf3][\x80-\xbf]{3}
            | \xf4[\x80-\x8f][\x80-\xbf]{2} )
            | ([\x80-\xff])
        }{ defined $1 ? $1 : chr(0xc0 | ord($2) >> 6) . chr(0x80 | ord($2) & 0x3f) }gex;
        $bytes =~ s/^\xef\xbb\xbf//;
    }
    $bytes =~ s/\r\n?/\n/g;
    $bytes =~ s/[^\n]\x08//g;
    $bytes =~ tr/\x00-\x08\x0b-\x1f\x7f//d;
    $bytes =~ s/[ \t]+$//mg;
    $bytes =~ s/\n{3,}/\n\n/g;
    $bytes =~ s/^\n+//;
    $bytes =~ s/\s+$//;
    return $bytes;
}

# Tables of numbers, drawings and encoded data are not text: of the bytes that are not blank seven
# in ten must be letters. What a program wrote is no text either, if it says so.
sub is_prose {
    my ($text) = @_;
    return 0 if $text =~ /automatically generated file/i;
    my $letters = $text =~ tr/A-Za-z\x80-\xff//;
    my $blanks = $text =~ tr/ \t\n//;
    return $letters * 10 >= (length($text) - $blanks) * 7;
}

# Cuts a long text at ends of paragraphs, or at ends of lines where a paragraph is itself long.
sub chunks {
    my ($text) = @_;
    return $text if length $text < LONG_BYTES;
    my @pieces = map { length $_ < LONG_BYTES ? $_ : split /(?<=\n)/ } split /(?<=\n\n)/, $text;
    my @chunks = ('');
    for my $piece (@pieces) {
        push @chunks, '' if length $chunks[-1] >= CHUNK_BYTES;
        $chunks[-1] .= $piece;
    }
    return map { s/\s+$//r } @chunks;
}

# Makes the documents of one text; the chunks of a long one are numbered from 1.
sub documents {
    my ($kind, $name, $bytes) = @_;
    my @chunks = chunks(clean($bytes));
    my @documents;
    for my $number (1 .. @chunks) {
        my $text = $chunks[$number - 1];
        next if length $text < MIN_BYTES || !is_prose($text);
        my $part = @chunks > 1 ? "#$number" : '';
        push @documents, { kind => $kind, name => clean($name) . $part, text => $text };
    }
    return @documents;
}

# A package that is in several suites may have several descriptions; each is one document.
sub description_documents {
    my ($lists) = @_;
    local $/ = '';
    my (@documents, %seen, %count);
    while (my $stanza = <$lists>) {
        my ($package) = $stanza =~ /^Package: (\S+)/m or next;
        my ($description) = $stanza =~ /^Description-en: (.*(?:\n .*)*)/m or next;
        next if $seen{"$package\n$description"}++;
        $description =~ s/\n/\n\n/;
        $description =~ s/^ \.?//mg;
        my $name = ++$count{$package} > 1 ? "$package#$count{$package}" : $package;
        push @documents, documents('description', $name, $description);
    }
    return @documents;
}

# Each node of an info manual is one text, named by the manual and the node.
sub info_documents {
    my ($package, $file, $bytes) = @_;
    my @documents;
    for my $node (split /\x1f\f?\n/, $bytes) {
        my ($name) = $node =~ /^File: [^\n]*?Node: ([^,\n]+)/ or next;
        $node =~ s/^File: [^\n]*\n//;
        $node =~ s/\x00\x08\[.*?\x00\x08\]//gs;
        push @documents, documents('info', "$package/$file/$name", $node);
    }
    return @documents;
}

# Change logs are left out since they are long, and mostly names and numbers.
sub kind_of {
    my ($package, $path) = @_;
    return 'man' if $path =~ m{^usr/share/man/man\d/[^/]+$};
    return 'info' if $path =~ m{^usr/share/info/.+\.info(?:-\d+)?$};
    return 'copyright' if $path eq "usr/share/doc/$package/copyright";
    return 'doc'
        if $path =~ m{^usr/share/doc/.*(?:\.(?:txt|text|rst|md|adoc|asciidoc|org)|/README[^/]*)$}
        && $path !~ m{/(?:change|news)[^/]*$}i;
    return;
}

# Names start with the package, so that no two packages can have documents of one name.
sub file_documents {
    my ($kind, $package, $path, $bytes) = @_;
    my ($file) = $path =~ m{([^/]+)$};
    return documents($kind, "$package/$file", roff_to_text($bytes)) if $kind eq 'man';
    return info_documents($package, $file, $bytes) if $kind eq 'info';
    return documents($kind, $package, $bytes) if $kind eq 'copyright';
    $path =~ s{^usr/share/doc/(?:\Q$package\E/)?}{};
    return documents($kind, "$package/$path", $bytes);
}

# A package that ships a file twice, as pages and their sources, gives it once.
sub tree_documents {
    my ($package, $tree) = @_;
    open my $find, '-|', 'find', $tree, qw(-type f -size -8192k -printf %P\0)
        or die "cannot run find: $!";
    my @paths = do { local $/ = "\0"; <$find> };
    close $find or die 'find failed';
    my (@documents, %seen);
    for my $path (sort { $a cmp $b } map {s/\0$//r} @paths) {
        my $kind = kind_of($package, $path) or next;
        open my $file, '<:raw', "$tree/$path" or die "cannot read $path: $!";
        my $bytes = do { local $/; <$file> };
        next if !defined $bytes || $seen{$bytes}++;
        push @documents, file_documents($kind, $package, $path, $bytes);
    }
    return @documents;
}

1;
