/** What the URL of a Redis server says. */
import { expect, test } from 'vitest';
import { parseRedisUrl, type RedisAddress } from '../../../src/engine/queue/redis.js';

const TCP = { host: 'h', port: 6379, db: 0 };

test.each<[string, RedisAddress | null]>([
  ['redis://h', { label: 'h:6379', options: TCP }],
  ['redis://h:7000/3', { label: 'h:7000', options: { ...TCP, port: 7000, db: 3 } }],
  ['redis://user:p%40ss@h/', { label: 'h:6379', options: { ...TCP, username: 'user', password: 'p@ss' } }],
  ['redis://:secret@h', { label: 'h:6379', options: { ...TCP, password: 'secret' } }],
  ['rediss://h', { label: 'h:6379', options: { ...TCP, tls: {} } }],
  ['redis://[::1]:7000', { label: '::1:7000', options: { ...TCP, host: '::1', port: 7000 } }],
  ['unix:///run/redis.sock', { label: '/run/redis.sock', options: { path: '/run/redis.sock' } }],
  [
    'unix://user:secret@/run/redis.sock',
    { label: '/run/redis.sock', options: { username: 'user', password: 'secret', path: '/run/redis.sock' } },
  ],
  ['h:6379', null],
  ['http://h', null],
  ['redis://', null],
  ['redis://h/x', null],
  ['redis://h/12345', null],
  ['redis://%zz@h', null],
  ['unix:///', null],
  ['unix://', null],
])('%s', (url, address) => {
  expect(parseRedisUrl(url)).toEqual(address);
});
