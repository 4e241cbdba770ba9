// SPDX-License-Identifier: Apache-2.0
// Groups are rendered 100 at a time and their insides only when opened, so that a report of
// 100,000 groups costs the browser one JSON.parse and a screenful of nodes.  The script puts
// names into the page as text only, never as markup.
#include "report/html_page.h"

namespace twinsift {

const std::string_view kPageStyle = R"css(
:root { color-scheme: light dark; --bg:#fff; --fg:#1b1f24; --dim:#555d66; --line:#d3d8de;
  --box:#f5f7f9; --accent:#0b57b0; --keep:#14692f; --only:#ffd9d2;
  --p0:#fff0a8; --p1:#c9ecff; --p2:#d3f5c9; --p3:#f6d6ff; --p4:#ffdfb8; --p5:#c8f3ec; --p6:#e0dcff; --p7:#ffd3e2; }
@media (prefers-color-scheme: dark) { :root { --bg:#15181c; --fg:#e4e8ec; --dim:#a3adb8; --line:#3a424b;
  --box:#1e2329; --accent:#7db8ff; --keep:#7fd79a; --only:#6b2a22;
  --p0:#5a4d00; --p1:#0e4a66; --p2:#25541a; --p3:#5a2a6b; --p4:#6b420d; --p5:#0f5750; --p6:#3d3780; --p7:#6e2646; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 0 1rem 3rem; background: var(--bg); color: var(--fg);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 1.2rem 0 .2rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p { margin: .3rem 0; } a { color: var(--accent); } .dim { color: var(--dim); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
button, input { font: inherit; color: inherit; background: var(--box); border: 1px solid var(--dim);
  border-radius: 6px; padding: .3rem .7rem; } button { cursor: pointer; }
button[aria-pressed=true] { background: var(--accent); color: var(--bg); }
.controls { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem 1.2rem; align-items: center;
  padding: .6rem 0; background: var(--bg); border-bottom: 1px solid var(--line); }
.controls label { display: flex; gap: .5rem; align-items: center; } #search { width: 16rem; max-width: 60vw; }
input[type=range] { padding: 0; width: 8rem; accent-color: var(--accent); }
.group { border-bottom: 1px solid var(--line); }
.group > summary { display: flex; gap: .2rem 1rem; padding: .55rem .2rem; cursor: pointer; align-items: baseline;
  scroll-margin: 6rem 0 2rem; }
.group > summary::before, .pair > summary::before { content: "\25B8"; color: var(--dim); margin-inline-end: .4em; }
.group[open] > summary::before, .pair[open] > summary::before { content: "\25BE"; }
.name { flex: 1 1 12rem; min-width: 0; font-weight: 600; }
.num { white-space: nowrap; font-variant-numeric: tabular-nums; }
.inside { padding: 0 0 1rem 1.4rem; }
.members { list-style: none; margin: 0; padding: 0; }
.members li { padding: .35rem 0; border-top: 1px dotted var(--line); }
.keep { color: var(--keep); font-weight: 700; }
.pair > summary { cursor: pointer; padding: .5rem 0; list-style: none; }
.tools { display: flex; flex-wrap: wrap; gap: .5rem; margin: .3rem 0 .6rem; align-items: center; }
.texts { display: grid; grid-template-columns: 1fr 1fr; gap: .8rem; }
.side h3 { font-size: .9rem; margin: 0 0 .3rem; }
.text { position: relative; height: 60vh; min-height: 12rem; overflow: auto; padding: .7rem; border: 1px solid var(--line);
  border-radius: 6px; background: var(--box); white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
mark { color: inherit; cursor: pointer; border-radius: 3px; }
mark::before { content: attr(data-n); font-size: .65em; vertical-align: super; color: var(--fg); margin-inline-end: .15em;
  unicode-bidi: isolate; }
mark.now { outline: 2px solid var(--accent); }
.c0{background:var(--p0)} .c1{background:var(--p1)} .c2{background:var(--p2)} .c3{background:var(--p3)}
.c4{background:var(--p4)} .c5{background:var(--p5)} .c6{background:var(--p6)} .c7{background:var(--p7)}
.differ mark { background: none; color: var(--dim); } .differ .only { background: var(--only); }
.cut { display: block; margin-top: 1rem; padding: .4rem; border: 1px dashed var(--dim); color: var(--dim); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; overflow-wrap: break-word; }
th, td { text-align: left; padding: .25rem .9rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.num, th.num { text-align: right; }
dialog { color: var(--fg); background: var(--bg); border: 1px solid var(--dim); border-radius: 8px; max-width: 26rem; }
kbd { border: 1px solid var(--dim); border-radius: 4px; padding: 0 .35em; background: var(--box); }
@media (max-width: 700px) { .texts { grid-template-columns: 1fr; } .text { height: 38vh; } .inside { padding-left: 0; }
  .group > summary { flex-wrap: wrap; } .name { flex-basis: 80%; } .controls { position: static; } }
)css";

const std::string_view kPageBody = R"html(
<header><h1>twinsift report</h1><p id="summary"></p><p id="guarantee" class="dim"></p><div id="alerts"></div>
<noscript><p>This page shows its report with a script of its own; please allow it.</p></noscript>
<div class="controls" role="search"><label>Find <input id="search" type="search" autocomplete="off" spellcheck="false"></label>
<label>Score at least <input id="score" type="range" min="0" max="100" value="0"> <output id="score-value" for="score">0 %</output></label>
<span id="count" role="status"></span><button id="help-button" type="button" aria-haspopup="dialog">Keys</button></div></header>
<main><h2>Groups</h2><div id="groups"></div><p><button id="more" type="button" hidden></button></p></main>
<footer id="rest"></footer>
<dialog id="help" aria-labelledby="help-title"><h2 id="help-title">Keys</h2>
<p><kbd>j</kbd> / <kbd>k</kbd> next / previous group</p><p><kbd>Enter</kbd> open or close it</p>
<p><kbd>n</kbd> / <kbd>p</kbd> next / previous shared passage</p><p><kbd>d</kbd> emphasise what differs</p>
<p>Pictures: <kbd>s</kbd> side by side, <kbd>f</kbd> flick, <kbd>d</kbd> difference, <kbd>[</kbd> / <kbd>]</kbd> previous / next</p>
<p>Recordings: <kbd>n</kbd> / <kbd>p</kbd> next / previous stretch, <kbd>[</kbd> / <kbd>]</kbd> previous / next recording</p>
<p><kbd>/</kbd> find</p><p><kbd>?</kbd> this help, <kbd>Esc</kbd> closes it</p>
<form method="dialog"><button>Close</button></form></dialog>
<template id="svg"><svg></svg></template>
)html";

const std::string_view kPageScript = R"js('use strict';
const kBatch = 100;
const $ = id => document.getElementById(id);
const part = name => [...document.querySelectorAll(`script[data-part=${name}]`)].flatMap(s => JSON.parse(s.textContent));
const groups = part('groups'), links = part('links'), folders = part('folders'), rest = part('rest')[0];
let shown = groups, rendered = 0, view = null;

// el('p', 'dim', 'text', child...): strings become text nodes, never markup.
function el(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children);
  return node;
}
const count = n => n.toLocaleString('en-GB');
const counted = (n, noun) => `${count(n)} ${noun}${n === 1 ? '' : 's'}`;
function bytes(n) {
  if (n < 1000) return n + ' B';
  let unit = 0;
  for (; n >= 999.95; n /= 1000) ++unit;
  return n.toFixed(1) + ' ' + ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'][unit];
}
const percent = x => (x < 1 ? Math.min(Math.round(x * 1000), 999) : 1000) / 10;
const percentage = x => percent(x).toFixed(1) + ' %';
// Names with controls or direction marks are shown escaped, and apart from the line around them.
function name(path) {
  const odd = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
  return el('bdi', '', path.replace(odd, c => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0')));
}
// For each duplicate, by its place among the members, the comparison with the one to keep.
const comparisons = group => new Map(group.pairs.map((p, i) => [p.a === 0 ? p.b : p.a, {...p, index: i}]));
function gain(group) {
  if (group.gain !== undefined) return group.gain;  // of recordings some must stay
  const pairs = comparisons(group);
  return group.members.reduce((sum, m, i) => sum + (i === 0 || pairs.get(i)?.relation === 'linked' ? 0 : m.size), 0);
}
const likeness = group => group.pairs.every(p => p.identical) ? 'identical' : percentage(group.score);

function numbers({jaccard, containment_a, containment_b, longest}) {
  const run = longest ? ` \u00b7 longest run ${counted(longest.words, 'word')}` : '';
  return `Jaccard ${jaccard.toFixed(3)} \u00b7 A in B ${percentage(containment_a)} \u00b7 B in A ${percentage(containment_b)}${run}`;
}
function comparison(group, pair) {
  const template = $(`view-${group.id}-${pair.index}`);
  if (!template) {
    const missing = pair.evidence.passages ? ' \u00b7 not among the side-by-side views of this report' : '';
    return el('div', 'dim', numbers(pair.evidence) + missing);
  }
  const box = el('details', 'pair', el('summary', '', 'Side by side ', el('span', 'dim', numbers(pair.evidence))));
  box.addEventListener('toggle', () => {
    if (box.open) view = box;
    if (!box.open || box.children.length > 1) return;
    box.append(template.content.cloneNode(true));
    const titles = box.querySelectorAll('h3');
    titles[0].append(' \u00b7 ', name(group.members[pair.a].path));
    titles[1].append(' \u00b7 ', name(group.members[pair.b].path));
  });
  return box;
}
function role(pair) {
  if (!pair) return 'keep';
  return pair.identical ? 'identical' : pair.relation === 'linked' ? 'linked' : percentage(pair.score);
}
function memberItem(group, member, pair) {
  const facts = Object.entries(member.facts).map(([k, v]) => `${k} ${v}`);
  const item = el('li', '', el('span', pair ? 'num' : 'keep', role(pair)), ' \u00b7 ', name(member.path),
    el('div', 'dim', [bytes(member.size), member.mtime.slice(0, 19) + 'Z', ...facts].join(' \u00b7 ')));
  for (const link of member.links || []) item.append(el('div', 'dim', 'already one file: ', name(link.path)));
  if (pair && group.words?.[pair.index]) item.append(el('div', 'dim', group.words[pair.index]));
  if (pair && pair.evidence.total_a + pair.evidence.total_b > 0) item.append(comparison(group, pair));
  return item;
}
function inside(group) {
  if (isRecording(group)) return recordingGroup(group);
  if (hasPreviews(group)) return pictureGrid(group);
  const pairs = comparisons(group);
  const list = el('ul', 'members', ...group.members.map((m, i) => memberItem(group, m, pairs.get(i))));
  const first = list.querySelector('.pair');
  if (first) first.open = true;
  return el('div', 'inside', list);
}

function groupRow(group) {
  const summary = el('summary', '', el('span', 'name', name(group.members[0].path)), el('span', 'num', group.medium),
    el('span', 'num', likeness(group)), el('span', 'num', counted(group.members.length, 'file')),
    el('span', 'num', bytes(gain(group))));
  const mini = miniature(group);
  if (mini) summary.prepend(mini);
  const row = el('details', 'group', summary);
  row.addEventListener('toggle', () => {
    if (row.open && row.children.length === 1) row.append(inside(group));
  });
  return row;
}

function renderMore() {
  const next = shown.slice(rendered, rendered + kBatch);
  $('groups').append(...next.map(groupRow));
  rendered += next.length;
  const left = shown.length - rendered;
  $('more').hidden = left === 0;
  $('more').textContent = `Show ${Math.min(kBatch, left)} more of ${count(left)}`;
}

function filter() {
  const wanted = $('search').value.toLowerCase(), least = $('score').valueAsNumber;
  $('score-value').textContent = least + ' %';
  shown = groups.filter(g => percent(g.score) >= least &&
    (!wanted || g.members.some(m => m.path.toLowerCase().includes(wanted))));
  rendered = 0;
  view = null;
  $('groups').replaceChildren();
  renderMore();
  $('count').textContent = shown.length === groups.length ? counted(groups.length, 'group')
    : `${count(shown.length)} of ${counted(groups.length, 'group')}`;
}

function step(by) {
  const rows = [...document.querySelectorAll('.group')];
  const now = rows.indexOf(document.activeElement.closest('.group'));
  if (now + by >= rows.length && rendered < shown.length) {
    renderMore();
    return step(by);
  }
  const row = rows[Math.max(0, Math.min(rows.length - 1, now + by))];
  if (row) row.firstChild.focus();
}

function scrollTo(mark) {
  const box = mark.closest('.text');
  box.scrollTop = mark.offsetTop - box.clientHeight / 3;
  mark.classList.add('now');
}
// Marks `mark` and its partner on the other side; again on the same mark: its next partner.
function showPassage(mark) {
  const texts = mark.closest('.texts');
  const partners = [...texts.querySelectorAll(`mark[data-n="${mark.dataset.n}"]`)]
    .filter(m => m.closest('.text') !== mark.closest('.text'));
  const next = partners[(partners.findIndex(m => m.classList.contains('now')) + 1) % partners.length];
  texts.querySelectorAll('.now').forEach(m => m.classList.remove('now'));
  mark.classList.add('now');
  if (next) scrollTo(next);
}
function stepPassage(by) {
  if (view && view.isConnected && view.stretch) return view.stretch(by);
  const text = view && view.isConnected && view.querySelector('.text');
  const marks = text ? [...text.querySelectorAll('mark')] : [];
  if (!marks.length) return;
  const now = marks.findIndex(m => m.classList.contains('now'));
  const mark = marks[now < 0 ? 0 : (now + by + marks.length) % marks.length];
  showPassage(mark);
  scrollTo(mark);
}
function toggleDiffer() {
  const button = view && view.isConnected && view.querySelector('[data-do=differ]');
  if (button) button.setAttribute('aria-pressed', view.querySelector('.texts').classList.toggle('differ'));
}

document.addEventListener('click', event => {
  const mark = event.target.closest('mark'), button = event.target.closest('[data-do]');
  if (mark || button) view = event.target.closest('.pair');
  if (mark) showPassage(mark);
  if (button) ({next: () => stepPassage(1), previous: () => stepPassage(-1), differ: toggleDiffer})[button.dataset.do]();
});
// Of two pictures, if the view shows some.
const showPictures = mode => view && view.isConnected && view.show && (view.show(mode), true);
const stepPicture = by => view && view.isConnected && view.step && view.step(by);
const keys = { j: () => step(1), k: () => step(-1), n: () => stepPassage(1), p: () => stepPassage(-1),
  d: () => showPictures('difference') || toggleDiffer(), f: () => showPictures('flick'), s: () => showPictures('side'),
  '[': () => stepPicture(-1), ']': () => stepPicture(1),
  '/': () => $('search').focus(), '?': () => $('help').showModal() };
document.addEventListener('keydown', event => {
  const typing = event.target.matches('input[type=search]') || $('help').open;
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
});

function section(title, ...children) { $('rest').append(el('h2', '', title), ...children); }
function table(head, rows, textColumns) {
  const cell = (tag, value, i) => el(tag, i < textColumns ? '' : 'num', value);
  return el('div', 'scroll', el('table', '', el('thead', '', el('tr', '', ...head.map((h, i) => cell('th', h, i)))),
    el('tbody', '', ...rows.map(row => el('tr', '', ...row.map((v, i) => cell('td', v, i)))))));
}
function folderWords(f) {
  const [a, b] = [f.a, f.b].map(path => name(path.replace(/\/?$/, '/')));
  const part = (share, inner, outer) => [share < 1 ? percentage(share) + ' of ' : '', inner, ' is inside ', outer];
  if (f.relation === 'contained') return part(f.containment_a, a, b);
  if (f.relation === 'contains') return part(f.containment_b, b, a);
  return f.only_a + f.only_b === 0 ? [a, ' and ', b, ' hold the same'] : [a, ' and ', b, ` are ${percentage(f.jaccard)} alike`];
}
const filesAndBytes = (n, size) => n ? `${count(n)} (${bytes(size)})` : '0';

$('summary').textContent = [counted(groups.length, 'group'), bytes(groups.reduce((sum, g) => sum + gain(g), 0)) + ' could go',
  rest.skipped.length + ' skipped'].join(' \u00b7 ');
$('guarantee').textContent = rest.run.guarantee;
const leftOut = rest.pictures.left_out;
if (leftOut) $('alerts').append(el('p', '', el('b', '', 'Note: '), counted(leftOut, 'preview') +
  ` left out, because this page would become too large; ${count(rest.pictures.shown)} are in it.`));
for (const note of rest.notes) $('alerts').append(el('p', '', el('b', '', 'Note: '), note));
if (!groups.length) $('groups').append(el('p', '', 'No duplicates among ' + counted(rest.stats.stages[0]?.items ?? 0, 'file') + '.'));
if (links.length) section('Linked recordings', ...links.map(linkItem), ...rest.together.map(togetherItem));
if (folders.length) section('Folders', ...folders.map(f => el('p', '', ...folderWords(f), el('div', 'dim',
  `in both ${filesAndBytes(f.both, f.both_bytes)} \u00b7 only in the first ${filesAndBytes(f.only_a, f.only_a_bytes)}` +
  ` \u00b7 only in the second ${filesAndBytes(f.only_b, f.only_b_bytes)}`))));
if (rest.skipped.length) section('Skipped', table(['File', 'Reason', 'Detail'],
  rest.skipped.map(s => [name(s.path), s.reason, s.detail]), 3));
section('Run', el('p', '', `twinsift ${rest.run.version} \u00b7 ${rest.run.started}`), el('p', '', el('code', '', rest.run.command)),
  el('p', '', `threshold ${rest.run.threshold} \u00b7 recall ${rest.run.recall} \u00b7 ${rest.run.detectors.join(' \u00b7 ')}`),
  table(['Stage', 'Items', 'Bytes', 'Seconds', 'Counts'], rest.stats.stages.map(({name: stage, items, bytes: size, seconds, ...counts}) =>
    [stage, count(items), bytes(size), seconds.toFixed(3), Object.entries(counts).map(([k, v]) => `${k} ${count(v)}`).join(', ')]), 1));
$('search').addEventListener('input', filter);
$('score').addEventListener('input', filter);
$('more').addEventListener('click', renderMore);
$('help-button').addEventListener('click', () => $('help').showModal());
if (groups.length) filter();
)js";

}  // namespace twinsift
