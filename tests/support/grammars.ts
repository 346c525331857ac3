/**
 * Grammars of our own, which together use every construct of the language of checktestdata. Each is read in both ways: the
 * whole input is one case, and the iterations of its last loop are the cases.
 */
import fc from 'fast-check';

/** What tests know about a grammar whose loop has the cases. */
export interface TableGrammar {
  readonly text: string;
  /** Whether cases can be inputs of their own with `--multitest`; if not, every command refuses to cut them. */
  readonly isDivisible: boolean;
}

const divisible = (text: string): TableGrammar => ({ text, isDivisible: true });
const bound = (text: string): TableGrammar => ({ text, isDivisible: false });

export const GRAMMAR_TABLE: Readonly<Record<string, TableGrammar>> = {
  'SPACE between cases': divisible('INT(1,100,n) NEWLINE REP(n, SPACE) INT(1,9) END NEWLINE EOF'),
  'SPACE between cases, no line end after them': divisible(
    'INT(1,100,n) NEWLINE REP(n,SPACE) INT(1,9) END EOF',
  ),
  'NEWLINE between cases': divisible('INT(1,100,n) NEWLINE REP(n, NEWLINE) INT(1,9) END NEWLINE EOF'),
  'NEWLINE between cases, no line end after them': divisible(
    'INT(1,9,n) NEWLINE REP(n,NEWLINE) INT(1,9) END',
  ),
  'blank lines between cases': divisible(
    'INT(1,9,n) NEWLINE REP(n,NEWLINE) INT(1,9,k) NEWLINE REP(k,SPACE) INT(0,9) END NEWLINE END',
  ),
  'a head that ends in a space': divisible('INT(1,100,n) SPACE REP(n, SPACE) INT(1,9) END NEWLINE'),
  'everything on one line': divisible('INT(1,100,n) REP(n) SPACE INT(1,9) END NEWLINE'),
  'a line end in each case': divisible('INT(1,100,t) NEWLINE REP(t) INT(-9,9) NEWLINE END EOF'),
  'a line end before each case': divisible('INT(1,100,t) REP(t) NEWLINE INT(-9,9) END NEWLINE EOF'),
  'no line end at the end': divisible('INT(1,50,t) REP(t) NEWLINE INT(0,99) SPACE INT(0,99) END'),
  'an array in each case': divisible(
    'INT(1,50,t) NEWLINE REP(t) INT(1,9,n) NEWLINE REP(n,SPACE) INT(-50,50) END NEWLINE END',
  ),
  'an indexed array': divisible(
    'INT(1,50,t) NEWLINE REP(t) INT(1,6,n) NEWLINE REPI(i,n,SPACE) INT(1,100,a[i]) END NEWLINE ASSERT(a[n-1]>0) END',
  ),
  'distinct values in a case': divisible(
    'INT(1,50,t) NEWLINE REP(t) INT(1,6,n) NEWLINE REPI(i,n,SPACE) INT(1,100,a[i]) END ASSERT(UNIQUE(a)) NEWLINE UNSET(a) END',
  ),
  'distinct values in all cases': divisible(
    'INT(1,9,t) NEWLINE REPI(c,t) INT(1,99,x[c]) NEWLINE END ASSERT(UNIQUE(x))',
  ),
  'a value among those of other cases': divisible(
    'INT(1,9,t) NEWLINE REPI(c,t) INT(1,3,x[c]) NEWLINE END ASSERT(!INARRAY(2,x) || INARRAY(2,x))',
  ),
  'a sum over all cases': divisible(
    'SET(s=0) INT(1,20,t) NEWLINE REP(t) INT(1,9,n) NEWLINE SET(s=s+n) END ASSERT(s<=100)',
  ),
  'a sum that the tail repeats': divisible(
    'SET(s=0) INT(1,9,t) NEWLINE REP(t) INT(1,9,n) SET(s=s+n) NEWLINE END STRING("=") NEWLINE ASSERT(s>0)',
  ),
  'a budget': divisible(
    'SET(left=60) INT(1,9,t) NEWLINE REP(t) INT(1,9,n) NEWLINE ASSERT(n<=left) SET(left=left-n) END ASSERT(left>=0)',
  ),
  edges: divisible(
    'INT(1,50,t) NEWLINE REP(t) INT(2,9,n) SPACE INT(0,5,m) NEWLINE REP(m) INT(1,n,a) SPACE INT(1,n,b) ASSERT(a!=b) NEWLINE END END',
  ),
  'large integers': divisible(
    'INT(1,50,t) NEWLINE REP(t) INT(-10^40,10^40) SPACE INT(2^60,2^61) NEWLINE END',
  ),
  'numbers with a point': divisible(
    'INT(1,50,t) NEWLINE REP(t) FLOAT(-1,1) SPACE FLOAT(0.001,0.002,x,SCIENTIFIC) SPACE FLOATP(0,10,2,3) NEWLINE END',
  ),
  'numbers between spaces': divisible('INT(1,50,t) NEWLINE REP(t,SPACE) FLOATP(0,10,2,2) END NEWLINE'),
  words: divisible('INT(1,50,t) NEWLINE REP(t) REGEX("[a-z]{1,9}",s) NEWLINE ASSERT(STRLEN(s)<10) END'),
  'words between spaces': divisible('INT(1,50,t) NEWLINE REP(t,SPACE) REGEX("[a-z]+") END NEWLINE'),
  'words and spaces between line ends': divisible(
    'INT(1,50,t) NEWLINE REP(t,NEWLINE) REGEX("[a-z][a-z ]*") END NEWLINE',
  ),
  'alternatives in a word': divisible(
    'INT(1,50,t) NEWLINE REP(t) REGEX("(a|bc)*[0-9]{2,3}x?") STRING("=") NEWLINE END',
  ),
  'lines with spaces': divisible('INT(1,9,t) NEWLINE REP(t) REGEX("[a-z][a-z ]*") NEWLINE END EOF'),
  'rows of a grid': divisible(
    'INT(1,9,t) NEWLINE REP(t) INT(1,4,r) SPACE INT(1,4,c) NEWLINE REP(r) REP(c) REGEX("[.#]") END NEWLINE END END',
  ),
  'grid rows whose width a variable holds': divisible(
    'INT(1,9,t) NEWLINE REP(t) INT(1,3,r) NEWLINE REP(r,NEWLINE) REGEX("[XO]{3}") END NEWLINE END',
  ),
  commands: divisible(
    'INT(1,9,t) NEWLINE REP(t) INT(1,5,q) NEWLINE REP(q) IF(1==1) STRING("ADD ") ELSE STRING("DEL ") END INT(1,9) NEWLINE END END',
  ),
  'a choice by the next letter': divisible(
    'INT(1,9,t) NEWLINE REP(t) IF(MATCH("i")) STRING("impossible") ELSE INT(0,9) END NEWLINE END',
  ),
  'lines of any length': divisible(
    'INT(1,9,t) NEWLINE REP(t) WHILE(!MATCH("\\n"),SPACE) INT(0,9) END NEWLINE END',
  ),
  'an end that ISEOF finds': divisible('WHILE(!ISEOF) INT(1,9,n) REP(n) SPACE INT(0,99) END NEWLINE END'),
  'an end that ISEOF finds, NEWLINE between cases': divisible('WHILE(!ISEOF, NEWLINE) INT(1,99) END'),
  'an end that MATCH finds': divisible('WHILE(!MATCH("#")) INT(1,99) NEWLINE END STRING("#") NEWLINE'),
  'a terminator': divisible('SET(n=1) WHILE(n>0) INT(0,9,n) NEWLINE REP(n) INT(0,9) NEWLINE END END'),
  'a terminator of two numbers': divisible(
    'SET(n=1,m=1) WHILE(n!=0 || m!=0) INT(0,9,n) SPACE INT(0,9,m) NEWLINE REP(n) REGEX(".{2}") STRING("|") NEWLINE END END',
  ),
  'a terminator after a space': divisible('SET(n=1) WHILE(n>0, SPACE) INT(0,9,n) END NEWLINE'),
  'a negative terminator': divisible('SET(k=0) WHILE(k>=0) INT(-1,99,k) NEWLINE END EOF'),
  'another number in the head': divisible(
    'INT(3,9,k) SPACE INT(1,50,t) NEWLINE REP(t) REP(k,SPACE) INT(0,k) END NEWLINE END',
  ),
  'a word in the head': divisible(
    'REGEX("[a-z]+",s) SPACE INT(1,9,t) NEWLINE REP(t) INT(0,9) NEWLINE END STRING("end") NEWLINE',
  ),
  'a tail': divisible(
    'INT(1,9,t) NEWLINE REP(t) INT(0,9) NEWLINE END STRING("end") NEWLINE INT(0,0) NEWLINE EOF',
  ),
  'a tail on the line of the cases': divisible(
    'INT(1,9,t) NEWLINE REP(t,SPACE) INT(1,9) END SPACE STRING("end") NEWLINE',
  ),
  'nested loops': divisible(
    'INT(1,9,t) NEWLINE REP(t) INT(1,3,n) NEWLINE REP(n) INT(1,3,m) REP(m) SPACE INT(0,9) END NEWLINE END END',
  ),
  'a string with a space': divisible('INT(1,9,t) NEWLINE REP(t) STRING("case of ") INT(0,9) NEWLINE END'),
  'arithmetic in bounds': divisible(
    'INT(1,9,t) NEWLINE REP(t) INT(1,20,n) SPACE INT(n*2-1,n^2+2*n+3,m) SPACE INT(m/2,m%7+m) NEWLINE END',
  ),
  'a value that is read and compared': divisible(
    'INT(1,9,t) NEWLINE REP(t) INT(1,9,a) SPACE INT(1,9,b) NEWLINE ASSERT(a+b>2 && (a<=b || b<a)) END',
  ),
  'at least two cases': divisible('INT(2,9,t) NEWLINE REP(t) INT(0,9) NEWLINE END'),
  'a count that cases use': divisible('INT(1,9,t) NEWLINE REP(t) INT(1,t) NEWLINE END'),
  'an even number of cases': divisible('INT(1,9,t) NEWLINE ASSERT(t%2==0) REP(t) INT(0,9) NEWLINE END'),
  'values that IF keeps': divisible(
    'SET(k=0) INT(1,9,t) NEWLINE REP(t) INT(0,9,n) IF(n>5) SET(k=1) END NEWLINE ASSERT(k<2) END',
  ),
  'numbered cases': bound('INT(1,50,t) NEWLINE REPI(c,t) STRING("Case ") INT(c+1,c+1) NEWLINE END'),
  'cases that know their place': bound(
    'INT(1,9,n) NEWLINE REPI(i,n) INT(1,9) IF(i < n-1) SPACE END END NEWLINE',
  ),
  'a constant number of cases': bound('REP(3) INT(0,9) NEWLINE END'),
  'one case less than a number': bound('INT(2,9,n) NEWLINE REP(n-1) INT(0,9) NEWLINE END'),
};

/** Commands that read a whole line or less, as text. */
const token = fc.oneof(
  fc.tuple(fc.integer({ min: -20, max: 20 }), fc.nat(30)).map(([min, size]) => `INT(${min},${min + size})`),
  fc.constantFrom(
    'FLOATP(0,5,1,2)',
    'REGEX("[a-z]{1,3}")',
    'STRING("x=")',
    'INT(0,3,k) REP(k) SPACE INT(1,9) END',
  ),
  fc.constantFrom('IF(MATCH("-")) STRING("-") ELSE INT(0,9) END', 'REPI(i,2,SPACE) INT(0,9,a[i]) END'),
);
const line = fc.array(token, { minLength: 1, maxLength: 3 }).map((tokens) => tokens.join(' SPACE '));
const body = fc
  .array(line, { minLength: 1, maxLength: 3 })
  .chain((lines) => fc.constantFrom('', ' NEWLINE').map((end) => lines.join(' NEWLINE ') + end));
/** Draws grammars whose cases are the iterations of a loop. */
export const randomGrammar = fc
  .record({
    body,
    separator: fc.constantFrom(',SPACE', ',NEWLINE', ',NEWLINE', ''),
    afterCount: fc.constantFrom('NEWLINE', 'SPACE', 'NEWLINE INT(0,9) NEWLINE'),
    loop: fc.constantFrom('counted', 'until-end', 'until-terminator'),
    tail: fc.constantFrom('', ' NEWLINE', ' NEWLINE EOF', ' NEWLINE STRING("end") NEWLINE', ' ASSERT(s<400)'),
  })
  .map(({ body, separator, afterCount, loop, tail }) => {
    // Cases that nothing separates would run into each other.
    const safe = separator === '' && !body.endsWith('NEWLINE') ? `${body} NEWLINE` : body;
    if (loop === 'counted')
      return `SET(s=0) INT(1,20,t) ${afterCount} REP(t${separator}) SET(s=s+1) ${safe} END${tail}`;
    if (loop === 'until-end') return `SET(s=0) WHILE(!ISEOF${separator}) ${safe} END`;
    return `SET(s=0) SET(n=1) WHILE(n>0${separator}) INT(0,9,n) NEWLINE ${safe} END${tail}`;
  });
