/** Returns the value of a key, and finds it when it is first asked for. */
export function remembered<Value>(
  values: Map<string, Value>,
  key: string,
  find: (key: string) => Value,
): Value {
  let value = values.get(key);
  if (value === undefined) {
    value = find(key);
    values.set(key, value);
  }
  return value;
}
