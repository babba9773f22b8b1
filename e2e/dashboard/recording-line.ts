import http from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it left the browser. */
export interface Sent {
  /** Method and path without variable parts, and the origin if it is not the product's. */
  name: string;
  /** Address and headers. */
  text: string;
  body: Buffer;
  /** Of the response, once there is one. */
  status?: number | undefined;
}

/** A proxy that records everything a browser sends, including requests of workers, which Playwright does not see. */
export interface RecordingLine {
  /** For `browser.newContext`. */
  proxy: { server: string; bypass: string };
  sent: Sent[];
  close(): void;
}

/**
 * Starts the proxy.
 *
 * @param product origin whose requests are named by their path alone
 */
export async function recordingLine(product: string): Promise<RecordingLine> {
  const sent: Sent[] = [];
  const server = http.createServer((request, response) => {
    const target = new URL(request.url ?? "");
    const { hostname, port, pathname, search, origin } = target;
    const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
    const pieces: Buffer[] = [];
    const name = `${request.method} ${origin === product ? "" : origin}${pathname}`;
    const text = [decodeURIComponent(target.href), target.href, ...headers].join("\n");
    request.on("data", (piece: Buffer) => pieces.push(piece));
    const one: Sent = { name, text, body: Buffer.alloc(0) };
    request.on("end", () => {
      one.body = Buffer.concat(pieces);
      sent.push(one);
    });
    const onwards = http.request(
      { hostname, port, path: pathname + search, method: request.method, headers: request.headers },
      (reply) => {
        one.status = reply.statusCode;
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        response.flushHeaders();
        reply.pipe(response);
      },
    );
    onwards.on("error", () => response.destroy());
    response.on("close", () => onwards.destroy());
    request.pipe(onwards);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    // By default Chromium bypasses the proxy for this machine's own addresses.
    proxy: { server: `http://127.0.0.1:${port}`, bypass: "<-loopback>" },
    sent,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
