/** Writes HTML and XML as text: pages and pictures in the format SVG. */

/** The attributes of an element by their names. */
export type MarkupAttributes = Readonly<Record<string, string | number>>;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/**
 * Control characters, halves of surrogate pairs, and two others that XML does not allow, not even escaped. And controls of the
 * direction of writing, which would show a text in another order than it has.
 */
const FORBIDDEN_CHARACTERS =
  /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Matches texts that need no escaping. Most texts of a large drawing are like this, and this test is fast. */
const PLAIN_TEXT = /^[ !#-%'-;=?-~]*$/;

/** Escapes a text for HTML and XML, between tags and in attributes. */
export function escapeMarkup(text: string): string {
  return PLAIN_TEXT.test(text) ? text : escapeAll(text).replaceAll('\r', '\ufffd');
}

/** Escapes a text, but not its carriage returns, which an attribute may have. */
function escapeAll(text: string): string {
  return text.replace(FORBIDDEN_CHARACTERS, '\ufffd').replace(/[&<>"]/g, (character) => ENTITIES[character]);
}

/** Escapes the value of an attribute, which may have several lines: a line end itself would become a space. */
function escapeAttribute(value: string): string {
  return escapeAll(value).replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Returns an element as text. `content` is markup already. Numbers among the attributes are rounded to hundredths. */
export function printElement(name: string, attributes: MarkupAttributes, content = ''): string {
  const pairs = Object.entries(attributes).map(
    ([key, value]) =>
      ` ${key}="${typeof value === 'number' ? roundToHundredths(value) : escapeAttribute(value)}"`,
  );
  return `<${name}${pairs.join('')}>${content}</${name}>`;
}

/** Rounds a length so that a picture has the same bytes on every machine. */
export function roundToHundredths(length: number): number {
  return Math.round(length * 100) / 100;
}
