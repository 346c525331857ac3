// Prints |a - b| for each pair, as fast as a contestant would read and write, after work of about a microsecond a pair.
#include <cstdio>
#include <cstdlib>
#include <string>

static char buffer[1 << 16];
static size_t filled = 0, at = 0;

static int next_byte() {
  if (at == filled) {
    filled = fread(buffer, 1, sizeof buffer, stdin);
    at = 0;
    if (filled == 0) return -1;
  }
  return buffer[at++];
}

static long long next_integer() {
  int byte = next_byte();
  while (byte == ' ' || byte == '\n' || byte == '\r') byte = next_byte();
  bool is_negative = byte == '-';
  if (is_negative) byte = next_byte();
  long long value = 0;
  for (; byte >= '0' && byte <= '9'; byte = next_byte()) value = 10 * value + byte - '0';
  return is_negative ? -value : value;
}

int main() {
  long long cases = next_integer();
  unsigned long long sum = 0;
  std::string out;
  while (cases-- > 0) {
    long long a = next_integer(), b = next_integer();
    unsigned long long work = a * 31 + b + 1;
    for (int i = 0; i < 430; i++) {
      work ^= work << 13;
      work ^= work >> 7;
      work ^= work << 17;
    }
    sum += work;
    out += std::to_string(llabs(a - b));
    out += '\n';
  }
  fwrite(out.data(), 1, out.size(), stdout);
  return sum == 42 ? 3 : 0;  // The work must not be optimized away.
}
