import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

/*
 * The receivers of bench/webhooks.ts, in a separate process, over HTTPS like real receivers of webhooks: one returns
 * 204, one never responds, one port is closed. On request, reports to its parent when the newest request came and how
 * many there were.
 */
let count = 0;
let newest = 0;
const pem = (name: string) => readFileSync(new URL(`../test/services/tls/${name}.pem`, import.meta.url));
const tls = { key: pem("receiver-key"), cert: pem("receiver-cert") };
const answering = createServer(tls, (request, response) => {
  count += 1;
  newest = performance.timeOrigin + performance.now();
  request.resume();
  request.once("end", () => response.writeHead(204).end());
});
const silent = createServer(tls, (request) => void request.resume());
const closed = createServer(tls);

const port = (server: typeof answering) =>
  new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });

const ports = { answering: await port(answering), silent: await port(silent), closed: await port(closed) };
await new Promise((resolve) => closed.close(resolve));
process.on("message", () => process.send?.({ count, newest }));
process.send?.(ports);
