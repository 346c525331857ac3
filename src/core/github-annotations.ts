/** Writes errors as commands to GitHub Actions, which shows them at the lines of the files that they concern. */
import { escapeUnprintable } from './printable.js';

interface ErrorPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Returns the command that shows an error at a place of a file. Characters that would end a part of the command are escaped, as
 * GitHub's own library does, so a file name or an answer cannot become another command.
 */
export function formatErrorAnnotation({ file, line, column }: ErrorPlace, message: string): string {
  return `::error file=${escapeProperty(file)},line=${line},col=${column}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  const escaped = text.replace(/[%\r\n]/g, (character) => ESCAPES[character]);
  return escapeUnprintable(escaped);
}

function escapeProperty(text: string): string {
  return escapeData(text).replace(/[:,]/g, (character) => ESCAPES[character]);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '%': '%25',
  '\r': '%0D',
  '\n': '%0A',
  ':': '%3A',
  ',': '%2C',
};
