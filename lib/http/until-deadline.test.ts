import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { untilDeadline } from "./until-deadline";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const SOON = 20;

/** Starts a server that counts the errors of its requests; returns how to ask it. */
async function listen(serve: RequestListener) {
  server = createServer(serve).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return (headers: Record<string, string> = {}, method = "GET") => {
    const asked = request({ port, host: "127.0.0.1", headers, method });
    asked.on("error", () => {});
    return asked;
  };
}

async function responseOf(asked: ReturnType<typeof request>) {
  const [response] = (await once(asked.end(), "response")) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { status: response.statusCode, headers: response.headers, text: Buffer.concat(parts).toString() };
}

test("a response that does not begin in time is 503, and what its route writes later is dropped", async () => {
  let late: Promise<unknown> = Promise.resolve();
  const ask = await listen((asked, response) => {
    const signal = untilDeadline(asked, response, SOON, (error) =>
      response.writeHead(error.status, { "Retry-After": error.retryAfter ?? "" }).end(error.publicMessage),
    );
    late = once(signal, "abort").then(() => {
      response.setHeader("x-late", "1");
      response.writeHead(200);
      response.write("late");
      response.end("late");
    });
  });
  const { status, headers, text } = await responseOf(ask());
  expect([status, headers["retry-after"], headers["x-late"]]).toEqual([503, "1", undefined]);
  expect(text).toMatch(/^This took too long\..*the same Idempotency-Key\.$/);
  await late;
});

test("a response that has begun may take any time: it is not cut off", async () => {
  const ask = await listen((asked, response) => {
    response.writeHead(200).write("begun, ");
    const signal = untilDeadline(asked, response, 0, () => expect.unreachable());
    setTimeout(() => response.end(signal.aborted ? "cut" : "ended"), SOON);
  });
  expect((await responseOf(ask())).text).toBe("begun, ended");
});

test("a request whose body never comes gets 408", async () => {
  const ask = await listen((asked, response) => {
    untilDeadline(asked, response, SOON, (error) => response.writeHead(error.status).end());
  });
  const asked = ask({ "content-length": "10" }, "POST");
  asked.flushHeaders();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  expect(response.statusCode).toBe(408);
});

test("the signal fires when the client leaves, and not for a client that got its response", async () => {
  const signals: AbortSignal[] = [];
  let arrived = () => {};
  const ask = await listen((asked, response) => {
    signals.push(untilDeadline(asked, response, null, () => expect.unreachable()));
    response.once("close", () => arrived());
    if (asked.headers["x-wait"]) arrived();
    else response.end("done");
  });
  const arrival = () =>
    new Promise<void>((resolve) => {
      arrived = resolve;
    });
  const closed = arrival();
  await responseOf(ask());
  await closed;
  expect(signals[0]?.aborted).toBe(false);
  const here = arrival();
  const leaving = ask({ "x-wait": "1" }).end();
  await here;
  const left = once(signals[1] as AbortSignal, "abort");
  leaving.destroy();
  await left;
});
