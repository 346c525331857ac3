/** A proxy in front of a Redis server, which cuts connections while a client is sending much. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface CutRules {
  /** A client that sends more bytes than these at once is cut off after so many. */
  readonly pieceBytes: number;
  /** Number of connections that are cut. Later ones are left alone. */
  readonly cuts: number;
  /** Whether the client first gets Redis's answer to the first command of a transaction. If it gets nothing, ioredis sends again. */
  readonly isAnswered: boolean;
}

/** Matches the first command of a transaction as ioredis sends it. Redis answers it at once. */
const BEGIN = '\r\nmulti\r\n';

export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Number of connections that were cut. */
  cuts = 0;

  /** Starts a proxy of the Redis server with a URL `unix://PATH`. */
  static async start(redisUrl: string, rules: CutRules): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(redisUrl.replace('unix://', ''), rules);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  private constructor(path: string, rules: CutRules) {
    this.#server = createServer((client) => this.#join(client, connect(path), rules));
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket, redis: Socket, { pieceBytes, cuts, isAnswered }: CutRules): void {
    const both = [client, redis];
    const end = () => both.forEach((socket) => void socket.destroy());
    // A client that was accepted while the proxy was being closed would keep it open.
    if (!this.#server.listening) {
      end();
      return;
    }
    for (const socket of both) {
      this.#sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    client.on('data', (piece) => {
      if (piece.length <= pieceBytes || this.cuts >= cuts) {
        redis.write(piece);
        return;
      }
      this.cuts++;
      client.removeAllListeners('data').resume();
      redis.write(piece.subarray(0, pieceBytes));
      // The client is still sending. A connection that ended with bytes unread would take the answer back.
      const endClient = () => client.end();
      if (!isAnswered) end();
      else if (piece.includes(BEGIN)) redis.once('data', endClient);
      else endClient();
    });
    redis.on('data', (piece) => client.write(piece));
  }
}
