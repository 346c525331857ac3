/**
 * Writes the files of pages on which boards are played. A page contains everything that it needs, and its content security
 * policy allows nothing else: no network request, and no script or style sheet except those whose hashes the policy names.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { INSTALLATION_FOLDER } from '../../core/installation.js';
import { escapeMarkup } from '../../core/markup.js';
import { colorStyleSheet, colorVariables } from '../drawing/colors.js';

export interface PlayPage {
  /** The full name of the problem. */
  readonly problem: string;
  /** The rows of the board as an input has them. */
  readonly rows: readonly string[];
  /** The number of the case in its input; null for a board that is not a case of an input. */
  readonly caseNumber: number | null;
  /** The title of the page in the browser; by default the heading, which has the problem and the number of the case. */
  readonly title?: string;
}

/** Returns the HTML of the page. Its bytes depend on the arguments and on the version of boardmill only. */
export function renderPlayPage({ problem, rows, caseNumber, title }: PlayPage): string {
  const heading = caseNumber === null ? problem : `${problem}, case ${caseNumber}`;
  const script = readPart('page.js').trim();
  const styles = `${readPart('page.css').trim()}\n${boardStyles()}`;
  if (/<\/script|<!--/i.test(script)) throw new Error('the script of the page would end its element early');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(script, styles)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(title ?? heading)}</title>
<link rel="icon" href="data:,">
<style>${styles}</style>
</head>
<body>
<div id="page"><noscript>This page needs JavaScript.</noscript></div>
<script type="application/json" id="data">${jsonOf({ problem, rows, heading })}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** Reads a part of the page that the build has made. */
function readPart(name: string): string {
  return readFileSync(new URL(`src/explain/page/${name}`, INSTALLATION_FOLDER), 'utf8');
}

function boardStyles(): string {
  const dark = `@media (prefers-color-scheme:dark){:root{${colorVariables('dark')}}}`;
  return `:root{${colorVariables('light')}}\n${dark}\n${colorStyleSheet()}`;
}

/**
 * Returns the content security policy that allows this script and style sheet. `img-src` is for the page's empty icon, and
 * `worker-src` for a worker that runs the same script.
 */
function policyOf(script: string, styles: string): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(styles)}'`,
    'img-src data:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Writes a value as JSON for a script element: no text in the value can end the element. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value).replace(/</g, '\\u003c');
}
