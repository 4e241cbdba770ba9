# SPDX-License-Identifier: Apache-2.0
#
# Renders manual pages, in the man and mdoc macros, to plain text. It is no typesetter: it keeps
# the words and the paragraphs and drops the rest, which is enough for a corpus and some hundred
# times faster than groff.

package CorpusRoff;

use strict;
use warnings;
use Exporter 'import';

our @EXPORT_OK = qw(roff_to_text);

my %glyph = (
    aq => "'", dq => '"', lq => '"', rq => '"', oq => "'", cq => "'", Aq => "'",
    em => '--', en => '-', hy => '-', mi => '-', bu => '*', co => '(C)', rg => '(R)', tm => '(TM)',
    ga => '`', ha => '^', ti => '~', rs => '\\', at => '@', sh => '#', bv => '|', or => '|',
    fm => "'", mu => 'x', '->' => '->', '<-' => '<-', '+-' => '+-', '<=' => '<=', '>=' => '>=',
    '!=' => '!=', '==' => '==', '**' => '*', pl => '+', eq => '=', sl => '/', ul => '_', ru => '_',
    lB => '[', rB => ']', lC => '{', rC => '}', la => '<', ra => '>', Do => '$',
    ':u' => "\xc3\xbc", ':o' => "\xc3\xb6", ':a' => "\xc3\xa4", "'e" => "\xc3\xa9",
    '`e' => "\xc3\xa8", ss => "\xc3\x9f",
    'C+' => 'C++', 'L"' => '"', 'R"' => '"', de => "\xc2\xb0", '*m' => "\xce\xbc",
);

sub unescape {
    my ($line) = @_;
    return $line if index($line, '\\') < 0;
    $line =~ s/\\["#].*//s;
    $line =~ s/\\[fmFM](?:\[[^\]]*\]|\(..|.)//g;
    $line =~ s/\\s(?:[-+]?\d\d?|\[[^\]]*\]|\([-+]?..|[-+]?'[^']*')//g;
    $line =~ s/\\[hvwlLDobxXNZ]'[^']*'//g;
    $line =~ s/\\[*n]?\((..)/defined $glyph{$1} ? $glyph{$1} : ''/ge;
    $line =~ s/\\[*n]?\[([^\]]*)\]/defined $glyph{$1} ? $glyph{$1} : ''/ge;
    $line =~ s/\\[*n].//g;
    $line =~ s/\\[ ~0]/ /g;
    $line =~ s/\\t/\t/g;
    $line =~ s/\\e/\x00/g;
    $line =~ s/\\([-.'`_\\])/$1 eq '\\' ? "\x00" : $1/ge;
    $line =~ s/\\[&%|^\/,:!)cudprz{}]//g;
    $line =~ s/\\//g;
    $line =~ tr/\x00/\\/;
    return $line;
}

sub arguments {
    my ($rest) = @_;
    my @arguments;
    while ($rest =~ /\G\s*(?:"((?:[^"]|"")*)"?|((?:\\ |\S)+))/gc) {
        push @arguments, defined $1 ? $1 =~ s/""/"/gr : $2;
    }
    return @arguments;
}

# The mdoc macros that may be called inside a line, with what they put before the next word.
my %mdoc_callable = map { $_ => '' } qw(
    Ac Ad An Ao Ap Aq Ar Bc Bo Bq Brc Bro Brq Cd Cm D1 Dc Dl Do Dq Dv Ec Em Eo Er Ev Fa Fc Fn Fo Ft
    Ic In Li Lk Ms Mt Nm No Ns Oc Oo Op Pa Pc Pf Po Pq Qc Ql Qo Qq Re Rs Sc Sm So Sq St Sx Sy Ta Tn
    Va Vt Xc Xo Xr);
%mdoc_callable = (
    %mdoc_callable, Fl => '-', Nd => '- ', Fx => 'FreeBSD ', Nx => 'NetBSD ',
    Ox => 'OpenBSD ', Bx => 'BSD ', At => 'AT&T UNIX ',
);

my %wraps = (
    Op => ['[', ']'], Aq => ['<', '>'], Bq => ['[', ']'], Brq => ['{', '}'], Dq => ['"', '"'],
    Pq => ['(', ')'], Ql => ["'", "'"], Qq => ['"', '"'], Sq => ["'", "'"],
);

sub mdoc_words {
    my ($name, @words) = @_;
    my ($text, $end, $glue, $prefix) = ('', '', '', '');
    while (@words && $words[-1] =~ /^[.,:;)\]?!]$/) { $end = pop(@words) . $end }
    while (defined(my $word = shift @words)) {
        if ($word eq 'Ns' || $word eq 'Ap') { $glue = ''; $text .= "'" if $word eq 'Ap'; next }
        my $alone = !@words || $words[0] =~ /^[[:punct:]]$/ || exists $mdoc_callable{$words[0]};
        if ($word eq 'Nm' && $alone) {
            $word = $name;
        } elsif ($word eq 'Xr' && @words > 1) {
            my $page = shift @words;
            $word = "$page(" . (shift @words) . ')';
        } elsif ($word eq 'In' && @words) {
            $word = '#include <' . (shift @words) . '>';
        } elsif ($word eq 'Fn' && @words) {
            my $function = shift @words;
            $word = "$function(" . join(', ', splice @words) . ')';
        } elsif (my $wrap = $wraps{$word}) {
            $text .= "$glue$wrap->[0]";
            $end = "$wrap->[1]$end";
            $glue = '';
            next;
        } elsif (exists $mdoc_callable{$word}) {
            $prefix = $mdoc_callable{$word};
            shift @words if $word eq 'An' && @words && $words[0] =~ /^-/;
            next;
        }
        $text .= $word =~ /^[.,:;)\]?!]$/ ? $word : "$glue$prefix$word";
        ($glue, $prefix) = (' ', '');
    }
    return "$text$end";
}

sub add_text {
    my ($state, $text) = @_;
    return if $text eq '';
    my $starts_line = $state->{out} eq '' || substr($state->{out}, -1) eq "\n";
    $state->{out} .= $starts_line ? $text : " $text";
    $state->{out} .= "\n" if $state->{literal};
}

# What a macro does to the text, from its arguments. A macro that is not here has no text.
my %macro;

sub define {
    my ($names, $action) = @_;
    $macro{$_} = $action for split ' ', $names;
}

define 'SH SS Sh Ss', sub {
    my ($state, @arguments) = @_;
    $state->{out} .= "\n\n" . unescape("@arguments") . "\n\n";
};
define 'TH Dt', sub {
    my ($state, $name, $section) = @_;
    $state->{out} .= unescape("$name($section)") . "\n\n" if defined $section;
};
define 'PP P LP Pp Lp sp Sp TP TQ HP RS RE Bl El', sub { $_[0]{out} .= "\n\n" };
define 'nf EX Vb', sub { $_[0]{out} .= "\n\n"; $_[0]{literal} = 1 };
define 'fi EE Ve Ed', sub { $_[0]{out} .= "\n\n"; $_[0]{literal} = 0 };
define 'Bd', sub {
    my ($state, @arguments) = @_;
    $state->{out} .= "\n\n";
    $state->{literal} = 1 if "@arguments" =~ /-(?:literal|unfilled)/;
};
define 'br', sub { $_[0]{out} .= "\n" };
define 'IP Ip', sub {
    my ($state, @arguments) = @_;
    $state->{out} .= "\n\n";
    add_text($state, unescape($arguments[0])) if @arguments;
};
define 'It', sub {
    my ($state, @arguments) = @_;
    $state->{out} .= "\n\n";
    add_text($state, unescape(mdoc_words($state->{name}, @arguments)));
};
define 'BR BI RB RI IB IR', sub {
    my ($state, @arguments) = @_;
    add_text($state, unescape(join '', @arguments));
};
define 'B I R SM SB CW UR MT', sub {
    my ($state, @arguments) = @_;
    add_text($state, unescape("@arguments"));
};

sub macro {
    my ($state, $name, @arguments) = @_;
    if ($macro{$name}) {
        $macro{$name}->($state, @arguments);
    } elsif ($state->{mdoc} && exists $mdoc_callable{$name}) {
        $state->{name} = $arguments[0] if $name eq 'Nm' && $state->{name} eq '' && @arguments;
        add_text($state, unescape(mdoc_words($state->{name}, $name, @arguments)));
    }
}

# Handles the requests that span lines: definitions and equations are skipped, and so is the
# format of a table. Returns whether the line is done with.
sub spans_lines {
    my ($state, $line) = @_;
    if ($state->{skip_to} ne '') {
        $state->{skip_to} = '' if $line =~ /^\.[ \t]*\Q$state->{skip_to}\E\s*$/;
    } elsif ($state->{table} eq 'format') {
        $state->{table} = 'rows' if $line =~ /\.\s*$/;
    } elsif ($line =~ /^[.'][ \t]*(?:de1?|am|ig)\b\s*(?:\S+\s+(\S+))?/) {
        $state->{skip_to} = defined $1 ? $1 : '.';
    } elsif ($line =~ /^\.[ \t]*EQ\b/) {
        $state->{skip_to} = 'EN';
    } elsif ($line =~ /^\.[ \t]*T([SE])\b/) {
        $state->{table} = $1 eq 'S' ? 'format' : '';
        $state->{out} .= "\n\n";
    } else {
        return 0;
    }
    return 1;
}

# The page starts at its title; what stands before are comments and definitions of macros. A page
# that only includes another one has no title, and no text of its own.
sub roff_to_text {
    my ($page) = @_;
    return '' unless $page =~ /^\.[ \t]*(?:TH|Dd)\b/m;
    my %state = (out => '', literal => 0, name => '', skip_to => '', table => '');
    my $body = substr $page, $-[0];
    $state{mdoc} = $body =~ /^\.[ \t]*Dd/;
    for my $line (split /\r?\n/, $body) {
        next if spans_lines(\%state, $line);
        if ($line =~ /^[.'][ \t]*([A-Za-z][A-Za-z0-9]*)(.*)/) {
            macro(\%state, $1, arguments($2));
        } elsif ($line =~ /^\s*$/) {
            $state{out} .= "\n\n";
        } elsif ($state{table}) {
            $state{out} .= unescape($line =~ s/T[{}]//gr) . "\n" if $line !~ /^\./;
        } elsif ($line !~ /^[.']/) {
            add_text(\%state, unescape($line));
        }
    }
    return $state{out};
}

1;
