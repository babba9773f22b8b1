import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { freePort } from "@/test/services/free-port";
import { ChainFront } from "./chain-front";

let anvil: Server;
let front: ChainFront;
let url = "";
let asked = 0;
let onAsked: () => void = () => {};

beforeEach(async () => {
  asked = 0;
  anvil = createServer((_, response) => {
    asked++;
    response.end("answer");
    onAsked();
  });
  await new Promise<void>((resolve) => anvil.listen(0, "127.0.0.1", resolve));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  front = new ChainFront(port);
  await front.listen();
});

afterEach(async () => {
  await front.end();
  anvil.closeAllConnections();
  anvil.close();
});

const open = () => front.open((anvil.address() as AddressInfo).port);
/** Resolves once the next request has reached anvil. */
const reached = () => new Promise<void>((resolve) => (onAsked = resolve));

it("returns 503 with Retry-After while blocks are restored, and lets nothing through to the chain", async () => {
  const reply = await fetch(url, { method: "POST", body: "{}" });
  expect(reply.status).toBe(503);
  expect(reply.headers.get("retry-after")).toBe("1");
  expect(await reply.json()).toMatchObject({ error: { message: expect.stringContaining("restoring") } });
  expect(asked).toBe(0);
  open();
  expect(await (await fetch(url, { method: "POST", body: "{}" })).text()).toBe("answer");
});

it("lets no one see what anvil says before the block is in the journal", async () => {
  open();
  let journaled = false;
  let seenBefore: boolean | undefined;
  let reply: Promise<void> | undefined;
  await front.hold(async () => {
    const arrived = reached();
    reply = fetch(url).then(() => {
      seenBefore = !journaled;
    });
    await arrived;
    // anvil's earlier output arrives before the response to this later request.
    await fetch(`http://127.0.0.1:${(anvil.address() as AddressInfo).port}`);
    journaled = true;
  });
  await reply;
  expect(seenBefore).toBe(false);
});

it("cuts everyone off when the block could not be journaled: no one gets to see it", async () => {
  open();
  let reply: Promise<unknown> | undefined;
  const held = front.hold(async () => {
    const arrived = reached();
    reply = fetch(url).catch((error: unknown) => error);
    await arrived;
    throw new Error("the disk is full");
  });
  await expect(held).rejects.toThrow("full");
  expect(await reply).toBeInstanceOf(TypeError);
  expect((await fetch(url)).status).toBe(503);
});
