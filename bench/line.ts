import http from "node:http";
import type { AddressInfo } from "node:net";

/** The speed of a line. */
export interface Speed {
  /** Added time from a request to the first byte of its response. */
  latencyMs: number;
  /** Shared by all responses. */
  bytesPerSecond: number;
}

/** An HTTP proxy for all requests of a browser, including those of its workers. */
export interface Line {
  address: string;
  /** The requests so far: method and path. */
  readonly asked: string[];
  close(): void;
}

const PIECE = 4_096;

/** Starts a proxy that limits the speed of everything that passes through it together. */
export async function openLine({ latencyMs, bytesPerSecond }: Speed): Promise<Line> {
  const asked: string[] = [];
  // When the line will have passed on everything so far. Later data waits until then.
  let freeAt = 0;
  const pass = (bytes: number) => {
    freeAt = Math.max(freeAt, performance.now()) + (bytes / bytesPerSecond) * 1_000;
    const wait = freeAt - performance.now();
    return new Promise<void>((resolve) => setTimeout(resolve, wait));
  };
  const relay = async (reply: http.IncomingMessage, response: http.ServerResponse) => {
    await new Promise((resolve) => setTimeout(resolve, latencyMs));
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    response.flushHeaders();
    for await (const chunk of reply as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length; at += PIECE) {
        const piece = chunk.subarray(at, at + PIECE);
        await pass(piece.length);
        response.write(piece);
      }
    }
    response.end();
  };
  const server = http.createServer((request, response) => {
    const { hostname, port, pathname, search } = new URL(request.url ?? "");
    asked.push(`${request.method} ${pathname}`);
    const onwards = http.request(
      { hostname, port, path: pathname + search, method: request.method, headers: request.headers },
      // The browser may have closed the connection before the reply.
      (reply) => void relay(reply, response).catch(() => response.destroy()),
    );
    onwards.on("error", () => response.destroy());
    response.on("close", () => onwards.destroy());
    request.pipe(onwards);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
