import type { RequestListener } from "node:http";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { describingService } from "@/test/sdk/describing-service";
import { CHAIN, clientOf, expectHalcyonError, failureOf, METHODS, RPC_SECRET } from "@/test/sdk/every-method";
import { serve } from "@/test/sdk/serve";
import { UnreadableResponse } from "./api/errors";

const refusing: RequestListener = (request, response) => {
  let text = "";
  request.on("data", (part) => {
    text += part;
  });
  request.on("end", () => {
    const asked = JSON.parse(text) as { id: number } | { id: number }[];
    const error = { code: -32001, message: `no plan for https://rpc.example/${RPC_SECRET}` };
    const replies = [asked].flat().map(({ id }) => ({ jsonrpc: "2.0", id, error }));
    response.end(JSON.stringify(Array.isArray(asked) ? replies : replies[0]));
  });
};

/** Returns the methods of a resource, also of the class that it extends. */
function methodsOf(part: object): string[] {
  const names = new Set<string>();
  for (let type = Object.getPrototypeOf(part); type !== Object.prototype; type = Object.getPrototypeOf(type)) {
    for (const name of Object.getOwnPropertyNames(type)) names.add(name);
  }
  return [...names].filter((name) => name !== "constructor");
}

test("every method of every resource is in these tests", () => {
  const client = clientOf({}) as unknown as Record<string, object>;
  const found = Object.entries(client).flatMap(([resource, part]) => {
    return methodsOf(part).map((name) => `${resource}.${name}`);
  });
  expect(METHODS.map(([name]) => name).sort()).toEqual(found.sort());
});

describe("only HalcyonErrors are thrown", () => {
  const BROKEN = [[], [undefined], [null], [42], ["\n"], [{}], [[]], [{ amount: 25, to: null }], ["x", null], ["x", 1]];
  const last = (input: readonly unknown[], value: unknown) => [
    ...input,
    ...Array(3 - input.length).fill(undefined),
    value,
  ];

  test.each(METHODS)("by %s, for any input that makes no sense", async (name, input) => {
    const client = clientOf({});
    for (const broken of [...BROKEN, last(input, 5).slice(0, 3)]) {
      const error = await failureOf(client, name, broken);
      expectHalcyonError(error, `${name} ${inspect(broken)}`);
      expect(error.code, `${name} ${inspect(broken)}`).not.toBe("internal");
      expect(error, `${name} ${inspect(broken)}`).not.toBeInstanceOf(UnreadableResponse);
    }
  });

  test.each(METHODS)("by %s, when nothing listens at the address of the service", async (name, input) => {
    const error = await failureOf(clientOf({ rpcUrl: CHAIN.rpc }), name, input);
    expectHalcyonError(error, name);
    expect(["unavailable", "invalid_request"]).toContain(error.code);
  });

  test.each([
    ["does not respond", () => Promise.resolve("http://127.0.0.1:1")],
    ["responds with errors that hold its address", () => serve(refusing)],
    ["is no RPC", () => serve((_, response) => response.end(`<a href="/${RPC_SECRET}">`))],
  ])("by all methods, when the chain %s", async (_, rpc) => {
    const rpcUrl = `${await rpc()}/${RPC_SECRET}`;
    const client = clientOf({ url: await describingService(rpcUrl), rpcUrl, waitTimeout: 20 });
    await Promise.all(
      METHODS.map(async ([name, input]) => {
        const asked = input.map((each) => (each === CHAIN ? { ...CHAIN, rpc: rpcUrl } : each));
        const error = await failureOf(client, name, asked);
        if (error !== undefined) expectHalcyonError(error, name);
      }),
    );
  });
});
