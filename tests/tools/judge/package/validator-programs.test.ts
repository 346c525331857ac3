/** Which validators are run as programs made with testlib. */
import { expect, test } from 'vitest';
import { usesExitCodesOfTestlib } from '../../../../src/tools/judge/package/validators/validator-programs.js';

const INCLUDE = '#include "testlib.h"\n';

test.each([
  ['the header', true, INCLUDE],
  ['the header after others', true, '#include <cstdio>\n # include <lib/testlib.h> // the checker\n'],
  ['the header in the comment of a line', false, `// ${INCLUDE}int main() { return 42; }\n`],
  ['the header in a comment of several lines', false, `/*\n${INCLUDE}*/\nint main() { return 42; }\n`],
  ['a message about the header', false, 'const char* hint = "#include \\"testlib.h\\"";\n'],
  ['a changed exit code', false, `#define OK_EXIT_CODE 42\n${INCLUDE}`],
  ['a changed exit code in a comment', true, `// was: OK_EXIT_CODE 42\n${INCLUDE}`],
])('%s', (_, uses, text) => {
  const source = { name: 'check', files: [{ name: 'check.cpp', bytes: Buffer.from(text) }] };
  expect(usesExitCodesOfTestlib(source as never)).toBe(uses);
});
