import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type RequestListener,
  request,
} from "node:http";
import { duplexPair } from "node:stream";

/** A whole response. */
export interface WholeResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Gets a path with exactly these headers. */
export type AskInside = (path: string, headers: OutgoingHttpHeaders) => Promise<WholeResponse>;

const PATIENCE_MS = 60_000;

/** Returns a function that asks a request handler of this process, over a connection in memory. */
export function askInside(serve: RequestListener): AskInside {
  // It never listens.
  const server = createServer(serve);
  return (path, headers) =>
    new Promise((resolve, reject) => {
      const [ours, theirs] = duplexPair();
      theirs.once("close", () => ours.destroy());
      server.emit("connection", theirs);
      const asked = request({
        path,
        headers: { ...headers, connection: "close" },
        createConnection: () => ours,
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      asked.once("error", reject);
      asked.once("response", async (response) => {
        try {
          const parts: Buffer[] = [];
          for await (const part of response) parts.push(part as Buffer);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) });
        } catch (error) {
          reject(error);
        }
      });
      asked.end();
    });
}
