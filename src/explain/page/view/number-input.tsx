/** A field for a number, which takes what was typed when the user leaves it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

interface NumberFieldProps {
  readonly name: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly set: (value: number) => void;
}

export function NumberInput({ name, value, min, max, set }: NumberFieldProps): JSX.Element {
  // The page is drawn again when a board has been solved. The text that the user is typing must be kept then.
  const [typed, type] = useState<string | null>(null);
  return (
    <label class="field">
      {name}
      <input
        type="number"
        value={typed ?? (Number.isNaN(value) ? '' : value)}
        min={min}
        max={max}
        onInput={(event) => type(event.currentTarget.value)}
        onChange={(event) => {
          set(event.currentTarget.valueAsNumber);
          // If the page refuses the size, the field shows the size of the board again.
          type(null);
        }}
      />
    </label>
  );
}
