import { type ConnectOpts, type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';

/**
 * Opens a socket that reads a pipe, by its descriptor, into memory that the caller provides. The types of Node do not say that
 * such a socket accepts `onread`, but its documentation does.
 */
export function openPipeSocket(descriptor: number, onread: OnReadOpts): Socket {
  const options: SocketConstructorOpts & ConnectOpts = {
    fd: descriptor,
    readable: true,
    writable: false,
    onread,
  };
  return new Socket(options);
}
