import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { Context } from "./context";
import { Http } from "./http";
import { Pins } from "./pins";
import { postPrepared } from "./post-prepared";
import { CookieSession } from "./session-calls";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const body = { prepared: { new_budget: "0x01" } };
const refusal = JSON.stringify({ error: { code: "budget_changed", message: "Build it again." } });

/** A service that records what `words` says and answers posts by `post`; counts them. */
async function service(words: string[], post: (attempt: number, answer: ServerResponse) => void) {
  let posts = 0;
  const server = createServer(({ method }: IncomingMessage, answer) => {
    if (method === "POST") return post(++posts, answer);
    answer.end(JSON.stringify({ transfers: words.map((new_word, at) => ({ transfer_id: `tr_${at}`, new_word })) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  const http = new Http(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const pins = new Pins({ remedy: () => "-", pin: async (_place, value) => value, peek: async () => undefined });
  const loadProver = () => Promise.reject(new Error("nothing is proven here"));
  const session = new CookieSession(http, "test");
  return { context: new Context({ http, network: "test", pins, session, loadProver }), posts: () => posts };
}

function refuse(answer: ServerResponse): void {
  answer.statusCode = 409;
  answer.end(refusal);
}

test("a payment whose answer was lost is found again and not made twice", async () => {
  const { context, posts } = await service(["0x02", "0x01"], (attempt, answer) =>
    attempt === 1 ? answer.destroy() : refuse(answer),
  );
  expect(await postPrepared(context, "/api/transfers", body, {})).toMatchObject({ transfer_id: "tr_1" });
  expect(posts()).toBe(2);
});

test("a payment that never arrived goes out again as the same document", async () => {
  const { context } = await service([], (attempt, answer) => {
    if (attempt === 1) return answer.destroy();
    answer.statusCode = 201;
    answer.end(JSON.stringify({ transfer_id: "tr_9" }));
  });
  expect(await postPrepared(context, "/api/transfers", body, {})).toMatchObject({ transfer_id: "tr_9" });
});

test("a budget that changed otherwise is the caller's to build on anew", async () => {
  const { context, posts } = await service(["0x02"], (_attempt, answer) => refuse(answer));
  await expect(postPrepared(context, "/api/transfers", body, {})).rejects.toMatchObject({ code: "budget_changed" });
  expect(posts()).toBe(1);
});
