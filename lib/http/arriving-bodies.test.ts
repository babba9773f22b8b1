import { once } from "node:events";
import { IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ApiError } from "@/lib/base/errors";
import { Admission } from "./admission";
import { ArrivingBodies, BODIES_IN_ALL, BODIES_PER_OWNER, bodyReader } from "./arriving-bodies";
import type { RequestOwner } from "./known-callers";
import { createWebServer, WEB_SERVER_LIMITS } from "./web-server";

const servers: Server[] = [];
const sockets: Socket[] = [];
const requests: IncomingMessage[] = [];
afterEach(async () => {
  for (const each of [...sockets.splice(0), ...requests.splice(0)]) each.destroy();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/**
 * Serves requests as server.ts does: each is let in, then reads its body and returns its size. The header `X-Account`
 * says for which account, `X-Address` from which address.
 */
async function listen(admission: Admission, bodies: ArrivingBodies, reading = () => {}) {
  let entered = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const address = String(request.headers["x-address"] ?? "203.0.113.1");
    entered += 1;
    const shed = admission.enter("live_write", response, { kind: "address", name: `${entered}` });
    if (shed) return response.writeHead(shed.status).end();
    const read = bodyReader(admission, bodies, request, response, address);
    reading();
    const account = request.headers["x-account"] as string | undefined;
    await read(64 * 1024, account).then(
      (body) => response.end(`read ${body.byteLength}`),
      (error) => response.writeHead(error instanceof ApiError ? error.status : 500).end(),
    );
  };
  const server = createWebServer(WEB_SERVER_LIMITS, { headers: {}, origin: "https://pay.test" }, serve);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (headers: string, body = "") => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    sockets.push(socket);
    socket.on("error", () => {});
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n\r\n${body}`);
    return socket;
  };
}

async function answerTo(socket: Socket): Promise<string> {
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  await once(socket, "close");
  return received;
}

/** A body of which nothing comes after its headers. */
const SLOW = "Content-Length: 60000";
const COMPLETE = "Content-Length: 2";

/** Reads a body of which nothing comes. */
function arriving(bodies: ArrivingBodies, owner: RequestOwner, most = 64 * 1024, length?: string): Promise<Buffer> {
  const request = new IncomingMessage(new Socket());
  if (length !== undefined) request.headers["content-length"] = length;
  requests.push(request);
  return bodies.read(request, most, owner);
}

describe("bodies that do not arrive", () => {
  it("take no place from a request whose body is there", async () => {
    const admission = new Admission(2);
    let reading = 0;
    const send = await listen(admission, new ArrivingBodies(), () => {
      reading += 1;
    });
    for (let slow = 0; slow < 40; slow += 1) {
      send(SLOW);
      await expect.poll(() => reading).toBe(slow + 1);
    }
    expect(await answerTo(send(COMPLETE, "{}"))).toMatch(/^HTTP\/1.1 200 .*read 2$/s);
  });

  it("are limited by client address, and keep no key and no other address waiting", async () => {
    const send = await listen(new Admission(10_000), new ArrivingBodies());
    const of = BODIES_PER_OWNER.address;
    const slow = Array.from({ length: of }, () => send(SLOW));
    const one = await answerTo(send(SLOW));
    expect(one).toMatch(/^HTTP\/1.1 429 /);
    const [key, other] = [send(`${SLOW}\r\nX-Account: a`), send(`${SLOW}\r\nX-Address: 203.0.113.2`)];
    const body = "x".repeat(60_000);
    for (const socket of [key, other, slow[0] as Socket]) {
      socket.write(body);
      expect(await answerTo(socket)).toMatch(/read 60000$/);
    }
    // One has gone, so there is room for one.
    const next = send(SLOW);
    next.write(body);
    expect(await answerTo(next)).toMatch(/read 60000$/);
  });

  it("of all addresses together leave room for every account, and those of accounts for every address", async () => {
    for (const kind of ["address", "account"] as const) {
      const bodies = new ArrivingBodies();
      const owners = BODIES_IN_ALL[kind] / BODIES_PER_OWNER[kind];
      const enter = (of: RequestOwner["kind"], name: string) => arriving(bodies, { kind: of, name });
      for (let owner = 0; owner < owners; owner += 1) {
        for (let body = 0; body < BODIES_PER_OWNER[kind]; body += 1) enter(kind, `${owner}`).catch(() => {});
      }
      await expect(enter(kind, "another")).rejects.toMatchObject({ code: "unavailable", retryAfter: 1 });
      const others = kind === "address" ? "account" : "address";
      expect(await Promise.race([enter(others, "0"), Promise.resolve("arriving")])).toBe("arriving");
    }
  });

  it("get a 408 unless 64 KiB or the whole body come in time", async () => {
    const send = await listen(new Admission(10), new ArrivingBodies(50));
    expect(await answerTo(send(SLOW, "{"))).toMatch(/^HTTP\/1.1 408 .*Connection: close/s);
  });

  it("count by their size", async () => {
    const bodies = new ArrivingBodies();
    const owner = { kind: "address", name: "a" } as const;
    const large = BODIES_PER_OWNER.address * 64 * 1024;
    arriving(bodies, owner, large, String(large - 64 * 1024)).catch(() => {});
    // A length that is not announced counts as the largest.
    await expect(arriving(bodies, owner, 128 * 1024)).rejects.toMatchObject({ code: "rate_limited" });
    arriving(bodies, owner).catch(() => {});
    await expect(arriving(bodies, owner, 1, "1")).rejects.toMatchObject({ code: "rate_limited" });
  });
});

it("a request whose body has arrived waits for no place that is not there", async () => {
  const admission = new Admission(1);
  let isReading = false;
  const send = await listen(admission, new ArrivingBodies(), () => {
    isReading = true;
  });
  const socket = send(SLOW);
  await expect.poll(() => isReading).toBe(true);
  // While the body arrives, another request takes the only place and keeps it.
  const other = { once: () => {}, writeHead: () => {} } as unknown as ServerResponse;
  admission.enter("live_write", other, { kind: "account", name: "other" });
  socket.write("x".repeat(60_000));
  expect(await answerTo(socket)).toMatch(/^HTTP\/1.1 503 /);
});
