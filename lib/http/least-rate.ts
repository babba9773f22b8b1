import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How slowly a client may read. */
export interface LeastRate {
  bytesPerSecond: number;
  /** How long a client may read nothing, in milliseconds. */
  pauseMs: number;
  /** How often connections are checked, in milliseconds. */
  checkMs: number;
}

export const LEAST_RATE: LeastRate = { bytesPerSecond: 2_048, pauseMs: 30_000, checkMs: 2_500 };

/** What a connection had not sent when it last made progress, and when that was. */
interface Unsent {
  sent: number;
  bytes: number;
  since: number;
}

/**
 * Closes connections whose clients read more slowly than the least rate. A client that takes a byte now and then would
 * otherwise hold a response for as long as it likes.
 */
export function cutSlowReaders(server: Server, { bytesPerSecond, pauseMs, checkMs }: LeastRate): void {
  const sockets = new Map<Socket, Unsent | undefined>();
  server.on("connection", (socket: Socket) => {
    sockets.set(socket, undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, before] of sockets) {
      const bytes = socket.writableLength;
      // Node counts what was written only once the whole piece is gone.
      const sent = socket.bytesWritten - bytes;
      if (bytes === 0) sockets.set(socket, undefined);
      else if (before?.sent !== sent) sockets.set(socket, { sent, bytes, since: now });
      else if (now - before.since > pauseMs + (before.bytes / bytesPerSecond) * 1_000) socket.destroy();
    }
  }, checkMs);
  timer.unref();
  server.once("close", () => clearInterval(timer));
}

/** Bytes. So large a piece shows progress at the least rate twice a minute, and is little to hold for a slow client. */
export const PIECE_BYTES = 64 * 1024;

/** Sends bytes that are shared by all who read them, piece by piece, and ends the response. Copies none of them. */
export function endInPieces(response: ServerResponse, bytes: Uint8Array): void {
  let at = 0;
  const more = () => {
    while (at + PIECE_BYTES < bytes.length) {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      at += PIECE_BYTES;
      if (!response.write(piece)) {
        response.once("drain", more);
        return;
      }
    }
    response.end(bytes.subarray(at));
  };
  more();
}
