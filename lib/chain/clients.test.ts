import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { fetchWithin } from "./clients";

test("a node that begins a response and never ends it is given up", async () => {
  const node = createServer((_, response) => void response.writeHead(200).write('{"jsonrpc":"2.0",'));
  await once(node.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
  const asked = fetchWithin(1_000)(url).then((response) => response.text());
  await expect(asked).rejects.toMatchObject({ name: "TimeoutError" });
  node.closeAllConnections();
  node.close();
});
