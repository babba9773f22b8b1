import { expect, productURL, stateOf, test } from "./fixtures";
import { type RawAnswer, raw } from "./http";

function expectErrorShape(answer: RawAnswer, status: number, code: string): void {
  expect(answer.status).toBe(status);
  expect(answer.headers["content-type"]).toMatch(/^application\/json/);
  expect(answer.json.error).toMatchObject({
    code,
    message: expect.stringMatching(/\w/),
    request_id: expect.stringMatching(/^req_/),
    doc_url: `/docs/errors/${code}`,
  });
  expect(answer.headers["x-request-id"]).toBe(answer.json.error?.request_id);
}

test("404: an unknown path under /v1", async () => {
  expectErrorShape(await raw(productURL, "/v1/nothing-here"), 404, "not_found");
});

test("404: a trailing slash under /v1", async ({ alice }) => {
  expectErrorShape(await alice.call("GET", "/v1/transfers/"), 404, "not_found");
});

test("400: a percent encoding that is none", async ({ alice }) => {
  expectErrorShape(await alice.call("GET", "/v1/transfers/%E0%A4%A"), 400, "invalid_request");
});

for (const method of ["PUT", "TRACE", "PATCH", "DELETE"]) {
  test(`405 with Allow, and nothing changes: ${method} /v1/transfers`, async ({ alice }) => {
    const before = await stateOf(alice);
    const answer = await alice.call(method, "/v1/transfers");
    expectErrorShape(answer, 405, "method_not_allowed");
    expect(answer.headers.allow).toMatch(/GET.*POST/);
    expect(await stateOf(alice)).toEqual(before);
  });
}

test("a refused caller learns nothing of the body: 401 comes before 400", async () => {
  const answer = await raw(productURL, "/v1/transfers", { method: "POST", body: "{" });
  expectErrorShape(answer, 401, "unauthorized");
});

test("no answer under /v1 allows another site's scripts to read it", async ({ alice }) => {
  const answer = await alice.call("GET", "/v1/accounts/me", undefined, { origin: "https://elsewhere.example" });
  expect(answer.status).toBe(200);
  expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
});
