/** Lets `npm run test:model` run the long test alone. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['tests/model/model.long.test.ts'], globalSetup: './tests/support/global-setup.ts' },
});
