/**
 * `npm run record`: types LINES into a real terminal (bash in tmux) and writes docs/demo.svg, an animation of what the
 * screen showed. CSS plays the animation, so a README can show the file as an image.
 *
 * tmux is the terminal emulator, and anser reads the colours. This script draws the animation itself. The npm package
 * svg-term is not used: it looks abandoned, needs React 16, and plays animations even for readers who turned them off.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Anser from 'anser';

const LINES = [
  '# A million boards of a game: how many first moves win on each?',
  'boardmill generate bt --cases 1000000 --seed 7 -o big.in',
  'boardmill solve bt big.in -o big.ans',
  'tail -n 2 big.ans',
  '# Find the smallest board that my own program gets wrong.',
  "boardmill stress bt --exec 'node mine.mjs' --seed 1",
];
/** Number of characters of a typed line that appear at once. */
const CHARACTERS_PER_FRAME = 4;
/** Time in milliseconds between two frames in which characters of a typed line appear. */
const TYPING_FRAME_MS = 60;
/** Time in milliseconds for which the animation shows the screen after a command has ended. */
const PAUSE_MS = 700;
/** Time in milliseconds for which the animation shows the screen after the last command has ended. */
const LAST_PAUSE_MS = 4000;
/** If the screen does not change for longer than this many milliseconds, the animation shortens the wait to this time. */
const MAX_UNCHANGED_MS = 800;
/** The animation first shows its last screen for this many milliseconds, so that a still image shows all commands. */
const POSTER_MS = 1500;
/** How often the animation plays. Then it shows its last screen. */
const ROUNDS = 3;
/** Number of columns of the terminal. */
const COLUMNS = 90;
/** Sizes of the drawing in pixels. */
const [CELL_WIDTH, LINE_HEIGHT, MARGIN, TOP_MARGIN] = [8.4, 20, 22, 44];
/** Matches the line with the cursor's column and row, which tmux prints after the screen. */
const CURSOR_LINE = /\d+ \d+\n$/;

const pathOf = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'boardmill-record-'));
/** The frames of the animation: each screen that differs from the one before, and its duration in milliseconds. */
const frames = [];
try {
  await record();
} finally {
  tmux('kill-server');
  rmSync(folder, { recursive: true });
}
frames.unshift({ ...frames.at(-1), ms: POSTER_MS });
const totalMs = frames.reduce((sum, { ms }) => sum + ms, 0);
const svg = draw();
writeFileSync(pathOf('docs/demo.svg'), svg);
console.log(`docs/demo.svg: ${(totalMs / 1000).toFixed(1)} s, ${frames.length} screens, ${svg.length} bytes`);

async function record() {
  const page = readFileSync(pathOf('docs/testing-programs.md'), 'utf8');
  const program = /<!-- file: mine\.mjs -->\n```js\n(.*?)```\n/s.exec(page);
  if (program === null) throw new Error('docs/testing-programs.md no longer contains the program mine.mjs');
  writeFileSync(join(folder, 'mine.mjs'), program[1]);
  const boardmill = `#!/bin/sh\nexec "${process.execPath}" "${pathOf('dist/src/cli/main.js')}" "$@"\n`;
  writeFileSync(join(folder, 'boardmill'), boardmill, { mode: 0o755 });

  tmux('new-session', '-d', '-x', COLUMNS, '-y', 40, '-c', folder, 'bash', '--norc', '--noprofile');
  await watchUntil((text) => text === '$', PAUSE_MS);
  frames.splice(0, frames.length - 1);
  for (const line of LINES) {
    for (let end = 0; end < line.length; end += CHARACTERS_PER_FRAME) {
      tmux('send-keys', '-l', '--', line.slice(end, end + CHARACTERS_PER_FRAME));
      const typed = `$ ${line.slice(0, end + CHARACTERS_PER_FRAME)}`.trimEnd();
      await watchUntil((text) => text.endsWith(typed), TYPING_FRAME_MS);
    }
    tmux('send-keys', 'Enter');
    await watchUntil((text) => text.endsWith('\n$'), line === LINES.at(-1) ? LAST_PAUSE_MS : PAUSE_MS);
  }
}

/**
 * Adds every new screen to `frames` until `isAwaited` returns true for the text of a screen. The animation shows that
 * last screen for `pauseMs` milliseconds.
 */
async function watchUntil(isAwaited, pauseMs) {
  let [newest, before] = [null, performance.now()];
  for (; ; await sleep(20)) {
    const screen = tmux('capture-pane', '-p', '-e', ';', 'display-message', '-p', '#{cursor_x} #{cursor_y}');
    const now = performance.now();
    if (newest !== null) newest.ms = Math.min(newest.ms + now - before, MAX_UNCHANGED_MS);
    if (screen !== frames.at(-1)?.screen) {
      newest = { screen, ms: 0 };
      frames.push(newest);
    }
    before = now;
    if (isAwaited(textOf(screen))) break;
  }
  frames.at(-1).ms = pauseMs;
}

/**
 * Runs a command of tmux. The prompt of the shell makes typed lines bold, and shows no name and no path of this machine.
 */
function tmux(...words) {
  const prompt = { PS1: '\\[\\e[32m\\]$\\[\\e[0;1m\\] ', PS0: '\\[\\e[0m\\]', LC_ALL: 'C.UTF-8' };
  const env = {
    ...prompt,
    PATH: `${folder}:${process.env.PATH}`,
    HOME: folder,
    XDG_STATE_HOME: folder,
    HISTFILE: '',
  };
  const server = ['-S', join(folder, 'socket'), '-f', '/dev/null', '-u'];
  return execFileSync('tmux', [...server, ...words.map(String)], { env, encoding: 'utf8' });
}

function textOf(screen) {
  return Anser.ansiToText(screen.replace(CURSOR_LINE, '')).trimEnd();
}

/**
 * Returns the animation as SVG. Shapes that are visible at the same times share a group, and each group has its own
 * keyframes.
 */
function draw() {
  const shapes = frames.map(({ screen }) => new Set(shapesOf(screen)));
  const groups = {};
  for (const shape of new Set(shapes.flatMap((frameShapes) => [...frameShapes]))) {
    const keyframes = keyframesOf(
      shapes.map((frameShapes) => (frameShapes.has(shape) ? 'visible' : 'hidden')),
    );
    groups[keyframes] = (groups[keyframes] ?? '') + shape;
  }
  const rows = Math.max(...frames.map(({ screen }) => textOf(screen).split('\n').length));
  const [width, height] = [COLUMNS * CELL_WIDTH + 2 * MARGIN, TOP_MARGIN + rows * LINE_HEIGHT + MARGIN];
  const rules = Object.keys(groups).map((keyframes, index) => `@keyframes k${index}{${keyframes}}`);
  const elements = Object.entries(groups).map(([keyframes, group], index) => {
    const isLast = keyframes.endsWith(':visible}') ? ' class="last"' : '';
    return `<g${isLast} style="animation-name:k${index}">${group}</g>`;
  });
  // A pointer on the picture pauses it. If the reader has turned animations off, the groups of the last screen are visible.
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d1d7e0}
.bold{font-weight:bold;fill:#fff}.comment{fill:#8bb8ff}.green,.full{fill:#56d364}.red{fill:#ff7b72}
.window{fill:#161b22;stroke:#57606a}.cursor{fill:#8b949e}.empty{fill:#373e47}
g{visibility:hidden;animation:${Math.round(totalMs)}ms step-end ${ROUNDS}}.last{visibility:visible}
svg:hover g{animation-play-state:paused}
@media(prefers-reduced-motion:reduce){g{animation:none!important}}
${rules.join('\n')}
</style>
<rect class="window" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="9"/>
<path d="M28 22h0m20 0h0m20 0h0" stroke="#57606a" stroke-width="12" stroke-linecap="round"/>
${elements.join('\n')}
</svg>
`;
}

/** Returns a keyframe for each time at which a shape appears or disappears, from its visibility in every frame. */
function keyframesOf(visibilities) {
  let [keyframes, startMs] = ['', 0];
  for (const [index, visibility] of visibilities.entries()) {
    const percent = Number(((100 * startMs) / totalMs).toFixed(2));
    if (visibility !== visibilities[index - 1]) keyframes += `${percent}%{visibility:${visibility}}`;
    startMs += frames[index].ms;
  }
  return keyframes;
}

/**
 * Returns the shapes of a screen as SVG elements: the cursor, and one shape for each run of text in one style. Two
 * whitespace ends a run of text.
 */
function shapesOf(screen) {
  const [cursorColumn, cursorRow] = CURSOR_LINE.exec(screen)[0].split(' ').map(Number);
  const shapes = [shapeOf(' ', cursorColumn, cursorRow, 'cursor')];
  let [column, row] = [0, 0];
  const spans = Anser.ansiToJson(screen.replace(CURSOR_LINE, ''), { use_classes: true });
  for (const { content, fg, decorations } of spans)
    for (const [run] of content.matchAll(/\n|█+|░+| +|(?: ?[^\s█░])+/g)) {
      const special = run.startsWith('# ') ? 'comment' : { '█': 'full', '░': 'empty' }[run[0]];
      const style = special ?? fg?.replace('ansi-', '') ?? decorations[0] ?? 'plain';
      if (run.trim() !== '') shapes.push(shapeOf(run, column, row, style));
      [column, row] = run === '\n' ? [0, row + 1] : [column + run.length, row];
    }
  return shapes;
}

/**
 * Returns the SVG element for a run of text. `textLength` keeps the text in its terminal cells with any font. Progress
 * bars are drawn as rectangles, because fonts leave gaps between block characters.
 */
function shapeOf(run, column, row, style) {
  const [x, y] = [Number((MARGIN + column * CELL_WIDTH).toFixed(1)), TOP_MARGIN + row * LINE_HEIGHT];
  const width = Number((run.length * CELL_WIDTH).toFixed(1));
  if (/^[ █░]/.test(run))
    return `<rect class="${style}" x="${x}" y="${y + 1}" width="${width}" height="16"/>`;
  const text = run.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text class="${style}" x="${x}" y="${y + 14}" textLength="${width}">${text}</text>`;
}
