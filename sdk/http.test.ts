import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { ApiCallError, ServiceUnreachable } from "./errors";
import { Http } from "./http";

let server: Server | undefined;

function listen(
  answer: (count: number) => { status: number; headers?: Record<string, string>; body: string },
): Promise<string> {
  let count = 0;
  const listening = createServer((_, response) => {
    const { status, headers, body } = answer(++count);
    response.writeHead(status, headers).end(body);
  });
  server = listening;
  return new Promise((resolve) => {
    listening.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(listening.address() as AddressInfo).port}`));
  });
}

afterEach(() => {
  server?.close();
  server = undefined;
});

test("an error answer is thrown with the API's code, status, parameter and request id", async () => {
  const body = { error: { code: "recipient_not_found", message: "Nobody.", param: "to", request_id: "req_1" } };
  const url = await listen(() => ({ status: 404, body: JSON.stringify(body) }));
  const error = await new Http(url).send("POST", "/v1/transfers", { json: {} }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiCallError);
  expect(error).toMatchObject({ code: "recipient_not_found", status: 404, param: "to", requestId: "req_1" });
});

test("a refusal of the rate limit is waited out and the request repeated", async () => {
  const limited = JSON.stringify({ error: { code: "rate_limited", message: "Slower." } });
  const url = await listen((count) =>
    count === 1 ? { status: 429, headers: { "retry-after": "0" }, body: limited } : { status: 200, body: "{}" },
  );
  await expect(new Http(url).send("GET", "/")).resolves.toMatchObject({ status: 200 });
});

test("silence and pages that are not the service's are named as such, with the remedy", async () => {
  await expect(new Http("http://127.0.0.1:9").send("GET", "/")).rejects.toThrow(/npm start/);
  const url = await listen(() => ({ status: 200, body: "<html>" }));
  await expect(new Http(url).send("GET", "/")).rejects.toThrow(ServiceUnreachable);
});
