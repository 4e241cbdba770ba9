// SPDX-License-Identifier: Apache-2.0
// The part of the page for groups of recordings: a timeline of the whole group, on which each
// member lies where the one to keep has the same, and two of them compared, with frames and
// waveforms, and bands between what they share.  Files are played from where they lie, and nothing
// is loaded before somebody asks for it.
#include "report/html_page.h"

namespace twinsift {

const std::string_view kRecordingStyle = R"css(
.timeline { display: grid; grid-template-columns: minmax(8rem, 15rem) 1fr; gap: .4rem .8rem; align-items: center; margin: .6rem 0; }
.timeline .who { min-width: 0; line-height: 1.3; } button.who { text-align: start; width: 100%; }
button.who[aria-pressed=true] { background: var(--box); color: inherit; box-shadow: 0 0 0 3px var(--accent); }
.lane { position: relative; height: 2.2rem; border-radius: 4px; background: var(--box); box-shadow: inset 0 0 0 1px var(--line); }
.lane .kept { position: absolute; inset: 0; border-radius: 4px; background: var(--keep); }
.stretch { position: absolute; top: 0; height: 100%; min-width: 8px; padding: 0; border-radius: 4px; overflow: hidden;
  white-space: nowrap; font-size: .8rem; border: 1px solid var(--dim); color: var(--fg); container-type: inline-size; }
@container (max-width: 5.2rem) { .stretch span { display: none; } }
div.stretch { display: grid; place-items: center; } .stretch:hover, .stretch.now, .band.now, .part.now { outline: 2px solid var(--accent); outline-offset: -1px; }
.axis { position: relative; height: 1.4rem; font-size: .75rem; color: var(--dim); font-variant-numeric: tabular-nums; }
.axis span { position: absolute; white-space: nowrap; transform: translateX(-50%); } .axis span:first-child { transform: none; }
.axis span.last { transform: translateX(-100%); }
.chip { display: inline-block; margin: 0 .3rem .1rem 0; padding: 0 .5rem; border: 1px solid var(--dim); border-radius: 1rem;
  font-size: .8rem; white-space: nowrap; }
.told { min-height: 1.5em; margin: .2rem 0 .4rem; }
.duel { margin: .3rem 0; overflow: hidden; } .duel h3 { font-size: .85rem; margin: .2rem 0; font-weight: 600; }
.rail { position: relative; } .track { position: relative; background: var(--box); box-shadow: inset 0 0 0 1px var(--line); }
.track .part { position: absolute; top: 0; bottom: 0; }
.film { position: relative; height: 4rem; overflow: hidden; }
.film img { position: absolute; top: 0; height: 100%; object-fit: cover; border-right: 1px solid var(--bg); }
.wave { position: relative; display: block; width: 100%; height: 4.5rem; } .wave path { fill: var(--fg); fill-opacity: .72; }
.film + .wave { height: 2.2rem; } .flat { height: 3rem; }
.edges { position: absolute; inset: 0; pointer-events: none; }
.edges i { position: absolute; top: 0; bottom: 0; border-inline: 2px solid var(--accent); opacity: .8; }
.bands { display: block; width: 100%; height: 2.6rem; } .band { cursor: pointer; stroke: var(--dim); stroke-width: 1; vector-effect: non-scaling-stroke; }
.b0{fill:var(--p0)} .b1{fill:var(--p1)} .b2{fill:var(--p2)} .b3{fill:var(--p3)} .b4{fill:var(--p4)} .b5{fill:var(--p5)} .b6{fill:var(--p6)} .b7{fill:var(--p7)}
.band.now { stroke: var(--accent); stroke-width: 3; outline: none; }
.players { display: grid; grid-template-columns: 1fr 1fr; gap: .8rem; margin: .6rem 0; } .players figure { margin: 0; min-width: 0; }
.players audio, .players video { width: 100%; max-height: 50vh; background: var(--box); }
.spans button { padding: 0 .6rem; }
@media (max-width: 700px) { .timeline { grid-template-columns: 1fr; gap: .2rem; } .players { grid-template-columns: 1fr; } .film { height: 3rem; } }
)css";

const std::string_view kRecordingScript = R"js(
const kMostRows = 200;        // of a table of stretches
const kFrameWidth = 84;       // pixels that a frame should have
let alignedRails = true;      // stays from pair to pair

const timelineOf = pair => pair.evidence.film || pair.evidence.sound;
const isRecording = group => group.pairs.some(timelineOf);
function clock(seconds) {
  const s = Math.round(Math.max(0, seconds)), two = n => String(n).padStart(2, '0');
  return s < 3600 ? `${Math.floor(s / 60)}:${two(s % 60)}` : `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
}
const span = (begin, end) => `${clock(begin)}\u2013${clock(end)}`;
const stretchWords = ([a0, a1, b0, b1]) => `${span(a0, a1)} of A is ${span(b0, b1)} of B`;
const share = x => `${100 * x}%`;
function put(node, left, width) {
  node.style.left = share(left);
  node.style.width = share(width);
  return node;
}

// The address of a member's file, from the bytes of its name; only a page from this machine may ask for it.
const rawBytes = (path, b64) => b64 ? atob(b64) : String.fromCharCode(...new TextEncoder().encode(path));
function fileAddress(member) {
  if (location.protocol !== 'file:') return '';
  const path = rawBytes(member.path, member.path_b64), folder = rawBytes(rest.run.folder || '', rest.run.folder_b64);
  if (!path.startsWith('/') && !folder.startsWith('/')) return '';
  const whole = path.startsWith('/') ? path : folder.replace(/\/?$/, '/') + path;
  return 'file://' + whole.replace(/[^A-Za-z0-9\/._~-]/g, c => '%' + c.charCodeAt(0).toString(16).padStart(2, '0'));
}

// ---- the group
function axis(total) {
  const step = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 18000, 36000].find(s => total / s <= 6) || total / 5;
  const box = el('div', 'axis');
  box.setAttribute('aria-hidden', 'true');
  const mark = (at, last) => {
    const tick = el('span', last ? 'last' : '', clock(at));
    tick.style.left = share(at / total);
    return tick;
  };
  for (let at = 0; at < total - step / 2; at += step) box.append(mark(at, false));
  box.append(mark(total, true));
  return box;
}
// Where stretch i of a pair lies in the one to keep.
const inKeeper = (pair, [a0, a1, b0, b1]) => pair.a === 0 ? [a0, a1] : [b0, b1];
function memberLane(pair, total, told, choose) {
  const lane = el('div', 'lane');
  if (pair.identical || !timelineOf(pair)) {
    if (pair.identical) lane.append(put(el('div', 'stretch c0', 'the same bytes'), 0, 1));
    return lane;
  }
  timelineOf(pair).stretches.forEach((stretch, i) => {
    const [begin, end] = inKeeper(pair, stretch);
    const node = put(button(el('span', '', span(begin, end)), () => choose(i), {class: `stretch c${i % 8}`, title: stretchWords(stretch),
      'aria-label': stretchWords(stretch)}), Math.min(begin / total, 1), Math.min(end, total) / total - Math.min(begin / total, 1));
    for (const event of ['focus', 'mouseenter']) node.addEventListener(event, () => { told.textContent = stretchWords(stretch); });
    lane.append(node);
  });
  return lane;
}
const chips = words => words.map(word => el('span', 'chip', word));
function recordingGroup(group) {
  const pairs = comparisons(group), others = group.members.map((m, i) => i).filter(i => pairs.has(i));
  const length = pair => pair.a === 0 ? timelineOf(pair).seconds_a : timelineOf(pair).seconds_b;
  const total = Math.max(1e-3, ...group.pairs.filter(timelineOf).map(length));
  const told = el('p', 'told dim', 'Each member lies where the first has the same. A stretch tells its times, and opens there.');
  told.setAttribute('role', 'status');
  const shown = el('div', ''), who = new Map();
  function open(place, stretch) {
    for (const [i, node] of who) node.setAttribute('aria-pressed', i === place);
    view = comparedRecordings(group, pairs.get(place));
    view.step = by => open(others[(others.indexOf(place) + by + others.length) % others.length]);
    shown.replaceChildren(view);
    if (stretch !== undefined) view.stretch(0, stretch);
  }
  const kept = el('div', 'lane', el('div', 'kept'));
  const rows = [el('div', 'who', el('span', 'keep', 'keep'), ' \u00b7 ', name(group.members[0].path),
    el('div', 'dim', facts(group.members[0]).join(' \u00b7 '))), kept];
  for (const place of others) {
    const pair = pairs.get(place), member = group.members[place];
    const label = button('', () => open(place), {class: 'who', 'aria-pressed': false});
    label.append(el('span', 'num', role(pair)), ' \u00b7 ', name(member.path), el('div', 'dim', facts(member).join(' \u00b7 ')),
      ...chips([...group.stays[pair.index] ? ['stays: ' + group.stays[pair.index]] : [], ...group.changes[pair.index]]));
    for (const link of member.links || []) label.append(el('div', 'dim', 'already one file: ', name(link.path)));
    who.set(place, label);
    rows.push(label, memberLane(pair, total, told, i => open(place, i)));
  }
  const box = el('div', 'inside', el('div', 'timeline', ...rows, el('span', ''), axis(total)), told);
  if (group.coverage_words) box.append(el('p', '', el('b', '', group.coverage_words)));
  box.append(shown);
  if (others.length) open(others.find(i => !pairs.get(i).identical) ?? others[0]);
  return box;
}
function facts({size, facts: known}) {
  const pixels = known.width ? `${known.width} \u00d7 ${known.height}` : '';
  return [bytes(size), known.duration, pixels, known.video_codec, known.audio_codec].filter(Boolean);
}

// ---- two recordings
function wave(text) {
  const peaks = Uint8Array.from(atob(text), c => c.charCodeAt(0)), top = [], bottom = [];
  peaks.forEach((p, i) => {
    top.push(`${i} ${128 - p / 2 - .5}`, `${i + 1} ${128 - p / 2 - .5}`);
    bottom.push(`${i} ${128 + p / 2 + .5}`, `${i + 1} ${128 + p / 2 + .5}`);
  });
  return svg('svg', {class: 'wave', viewBox: `0 0 ${peaks.length} 256`, preserveAspectRatio: 'none', 'aria-hidden': 'true'},
    svg('path', {d: `M${top.join('L')}L${bottom.reverse().join('L')}Z`}));
}
// As many frames as have room, each from its time to that of the next.
function filmStrip(template, seconds) {
  const frames = [...template.content.querySelectorAll('img')], strip = el('div', 'film');
  let drawn = 0;
  new ResizeObserver(([{contentRect}]) => {
    const count = Math.max(1, Math.min(frames.length, Math.round(contentRect.width / kFrameWidth)));
    if (count === drawn) return;
    drawn = count;
    const chosen = Array.from({length: count}, (_, i) => frames[Math.floor(i * frames.length / count)]);
    strip.replaceChildren(...chosen.map((frame, i) => {
      const begin = i ? Number(frame.dataset.seconds) : 0, end = i + 1 < count ? Number(chosen[i + 1].dataset.seconds) : seconds;
      return put(frame.cloneNode(), begin / seconds, Math.max(0, end - begin) / seconds);
    }));
  }).observe(strip);
  return strip;
}
function track(group, place, seconds, parts) {
  const frames = $(`frames-${group.id}-${place}`), strip = group.strips?.[place], box = el('div', 'track');
  const coloured = parts.map(([begin, end], i) => put(el('div', `part c${i % 8}`), begin / seconds, (end - begin) / seconds));
  box.append(...coloured);
  if (frames) box.append(filmStrip(frames, seconds));
  if (strip?.peaks) box.append(wave(strip.peaks));
  if (!frames && !strip?.peaks) box.append(el('div', 'flat'));
  box.append(el('div', 'edges', ...parts.map(([begin, end]) => put(el('i', ''), begin / seconds, (end - begin) / seconds))));
  return {box, coloured};
}
function player(group, place, letter, film) {
  const member = group.members[place], address = fileAddress(member);
  if (!address) return null;
  const media = el(film ? 'video' : 'audio', ''), box = el('figure', '', media, el('figcaption', '', letter));
  Object.assign(media, {controls: true, preload: 'none', src: address});
  media.setAttribute('aria-label', `Play ${letter}`);
  const frame = $(`frames-${group.id}-${place}`)?.content.querySelector('img');
  if (film && frame) media.poster = frame.src;
  let wanted = 0;  // nothing is loaded, and so nothing sought, before it is played
  media.addEventListener('loadedmetadata', () => { media.currentTime = wanted; });
  const seek = seconds => {
    wanted = seconds;
    if (media.readyState > 0) media.currentTime = seconds;
  };
  media.addEventListener('error', () => box.append(el('p', 'dim', 'This browser cannot play the file, or it has moved.')), {once: true});
  return {box, media, seek};
}

function comparedRecordings(group, pair) {
  const words = pair.identical ? 'the same bytes' : group.words[pair.index], stays = group.stays[pair.index];
  const box = el('section', 'compared', el('p', 'words', words ? `B: ${words}` : ''));
  box.setAttribute('aria-label', 'Comparison');
  if (stays) box.append(el('p', '', `It stays: ${stays}.`));
  box.stretch = () => {};
  const timeline = timelineOf(pair);
  if (!timeline) return box;
  const {seconds_a, seconds_b, speed, stretches} = timeline;
  const tracks = [track(group, pair.a, seconds_a, stretches.map(s => [s[0], s[1]])),
    track(group, pair.b, seconds_b, stretches.map(s => [s[2], s[3]]))];
  const bands = svg('svg', {class: 'bands', viewBox: '0 0 1000 100', preserveAspectRatio: 'none', 'aria-hidden': 'true'});
  const polygons = stretches.map((s, i) => {
    const node = svg('polygon', {class: `band b${i % 8}`}, svg('title', {}, stretchWords(s)));
    node.addEventListener('click', () => box.stretch(0, i));
    return node;
  });
  bands.append(...polygons);
  const title = (letter, place) => el('h3', '', letter, ' \u00b7 ', name(group.members[place].path));
  const rails = tracks.map(t => el('div', 'rail', t.box));

  // Both by the clock of A; aligned, the longest stretch of B lies below that of A.
  function lay() {
    const longest = stretches.reduce((x, y) => y[1] - y[0] > x[1] - x[0] ? y : x, stretches[0] || [0, 0, 0, 0]);
    const shift = alignedRails ? longest[0] - longest[2] * speed : 0;
    const from = Math.min(0, shift), whole = Math.max(seconds_a, shift + seconds_b * speed) - from;
    const a = t => (t - from) / whole, b = t => (t * speed + shift - from) / whole;
    put(tracks[0].box, a(0), seconds_a / whole);
    put(tracks[1].box, b(0), seconds_b * speed / whole);
    polygons.forEach((node, i) => {
      const [a0, a1, b0, b1] = stretches[i], x = t => (1000 * t).toFixed(2);
      node.setAttribute('points', `${x(a(a0))},0 ${x(a(a1))},0 ${x(b(b1))},100 ${x(b(b0))},100`);
    });
  }
  const align = button('Aligned', () => {
    alignedRails = !alignedRails;
    align.setAttribute('aria-pressed', alignedRails);
    lay();
  }, {'aria-pressed': alignedRails});
  const film = Boolean(pair.evidence.film) || group.medium === 'video';
  const players = [player(group, pair.a, 'A', film), player(group, pair.b, 'B', film)].filter(Boolean);
  const told = el('p', 'told');
  told.setAttribute('role', 'status');
  const rows = stretches.slice(0, kMostRows).map((s, i) => [button(String(i + 1), () => box.stretch(0, i),
    {'aria-label': `Stretch ${i + 1}: ${stretchWords(s)}`}), span(s[0], s[1]), span(s[2], s[3]), clock(s[1] - s[0])]);
  const list = el('div', 'spans', table(['Stretch', 'In A', 'In B', 'Lasts'], rows, 1));
  if (stretches.length > kMostRows) list.append(el('p', 'dim', `The other ${count(stretches.length - kMostRows)} are not listed.`));

  let now = -1;
  box.stretch = (by, chosen = now < 0 ? 0 : now + by) => {
    if (!stretches.length) return;
    now = (chosen + stretches.length) % stretches.length;
    [...tracks.map(t => t.coloured), polygons].forEach(nodes => nodes.forEach((n, i) => n.classList.toggle('now', i === now)));
    told.textContent = `Stretch ${now + 1}: ${stretchWords(stretches[now])}`;
    players.forEach(({seek}, i) => seek(stretches[now][2 * i]));
  };
  const tools = el('div', 'tools', align, ...stretches.length > 1 ? [button('Previous stretch', () => box.stretch(-1)),
    button('Next stretch', () => box.stretch(1))] : []);
  if (players.length === 2) tools.append(button('Play both', () => {
    players[1].media.playbackRate = Math.min(4, Math.max(.25, 1 / speed));  // in step with A
    players.forEach(({media}) => media.paused ? media.play().catch(() => {}) : media.pause());
  }));
  box.append(...group.changes[pair.index].length ? [el('p', '', ...chips(group.changes[pair.index]))] : [], tools,
    el('div', 'duel', title('A', pair.a), rails[0], bands, rails[1], title('B', pair.b)), told);
  if (players.length) box.append(el('div', 'players', ...players.map(p => p.box)));
  box.append(list);
  lay();
  return box;
}
function togetherItem({path, words}) { return el('p', '', name(path), el('div', 'dim', words)); }
function linkItem(link) {
  return el('p', '', name(link.a), ' \u00b7 ', name(link.b), el('div', 'dim', `the second ${link.words}`));
}
)js";

}  // namespace twinsift
