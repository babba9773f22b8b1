import { describe, expect, it } from "vitest";
import { failure } from "./failure";
import { withRawBody } from "./raw-body";
import { BODY_LIMIT, parseJson, readJsonBody } from "./read-json-body";

const MAX_BODY_BYTES = BODY_LIMIT.kib * 1024;

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request("http://localhost/v1/transfers", { method: "POST", body, headers });

describe("readJsonBody", () => {
  it("reads JSON whatever the content type says", async () => {
    const request = post('{"to":"@bob"}', { "content-type": "application/x-www-form-urlencoded" });
    expect(await readJsonBody(request)).toEqual({ text: '{"to":"@bob"}', value: { to: "@bob" } });
  });

  it("takes the body of a GET from the server in front", async () => {
    const request = new Request("http://localhost/v1/accounts/me/balances");
    const read = async () => new TextEncoder().encode("{}");
    expect((await withRawBody(read, () => readJsonBody(request))).value).toEqual({});
  });

  it("returns 400, and calls nothing of ours broken, when the client leaves in mid-body", async () => {
    const reset = () => Promise.reject(Object.assign(new Error("aborted"), { code: "ECONNRESET" }));
    const body = new ReadableStream({ pull: reset });
    const torn = new Request("http://localhost/v1/transfers", { method: "POST", body, duplex: "half" } as RequestInit);
    for (const read of [
      readJsonBody(torn),
      withRawBody(reset, () => readJsonBody(new Request("http://localhost/v1"))),
    ]) {
      const thrown = await read.catch((error) => error);
      expect(thrown).toMatchObject({ code: "invalid_request", status: 400 });
      expect(failure(thrown, "req_1", "POST /v1/transfers").status).toBe(400);
    }
  });

  it("returns 415 to a form with files", async () => {
    await expect(readJsonBody(post("x", { "content-type": "multipart/form-data; boundary=x" }))).rejects.toMatchObject({
      code: "invalid_request",
      status: 415,
    });
  });

  it("returns 413 over 64 KiB, also when the length is not announced", async () => {
    const chunk = new Uint8Array(MAX_BODY_BYTES / 4).fill(0x20);
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(chunk);
      },
    });
    const init = { method: "POST", body: stream, duplex: "half" } as RequestInit;
    const endless = new Request("http://localhost/v1/transfers", init);
    await expect(readJsonBody(endless)).rejects.toMatchObject({ code: "invalid_request", status: 413 });
  });

  it("takes more where a route does, and no more than that", async () => {
    const spaces = (bytes: number) => `{${" ".repeat(bytes - 2)}}`;
    const limit = { kib: 256, values: 1 };
    const read = (bytes: number) => readJsonBody(post(spaces(bytes)), limit);
    await expect(read(limit.kib * 1024)).rejects.toMatchObject({
      status: 413,
      publicMessage: expect.stringContaining("values"),
    });
    expect((await readJsonBody(post(spaces(limit.kib * 1024)), { ...limit, values: 2 })).value).toEqual({});
    await expect(read(limit.kib * 1024 + 1)).rejects.toMatchObject({
      status: 413,
      publicMessage: expect.stringContaining("256 KiB"),
    });
  });

  it.each([
    ["[".repeat(21) + "]".repeat(21), 400],
    [`[${"1,".repeat(2_500)}1]`, 413],
    [`{${Array.from({ length: 5_000 }, (_, at) => `"n${at}":1`).join()}}`, 413],
  ])("refuses lists and objects over 20 deep, and over 2,500 values, also if the text is no JSON", (text, status) => {
    for (const body of [text, text.slice(0, -1)]) {
      const bytes = new TextEncoder().encode(body);
      expect(() => parseJson(bytes, BODY_LIMIT)).toThrow(
        expect.objectContaining({ code: "invalid_request", status, param: "body" }),
      );
    }
    expect(parseJson(new TextEncoder().encode("[".repeat(20) + "]".repeat(20)), BODY_LIMIT).value).toBeDefined();
  });

  it("returns 415 to a body that says it is compressed, which is never decompressed", async () => {
    const compressed = post("{}", { "content-encoding": "gzip" });
    await expect(readJsonBody(compressed)).rejects.toMatchObject({ code: "invalid_request", status: 415 });
    expect((await readJsonBody(post("{}", { "content-encoding": "Identity" }))).value).toEqual({});
  });

  it("returns 400 to a field that is there twice, naming it, and never its value", async () => {
    const twice = post('{"amount":"1.00","amount":"1000.00"}');
    await expect(readJsonBody(twice)).rejects.toMatchObject({ code: "invalid_request", status: 400, param: "amount" });
    const strange = post('{"my secret":1,"my secret":2}');
    await expect(readJsonBody(strange)).rejects.toMatchObject({ param: "body" });
  });

  it.each([["{"], ["{'a': 1}"], ["\ufeff"], [new Uint8Array([0x22, 0xff, 0x22])]])(
    "answers 400 to what is not JSON in UTF-8, without quoting it",
    async (body) => {
      await expect(readJsonBody(post(body as BodyInit))).rejects.toMatchObject({
        code: "invalid_request",
        status: 400,
        param: "body",
      });
    },
  );
});
