import { expect, test } from "vitest";
import { failureMessage } from "@/components/ui/toast-queue";
import { fromVaultError, VaultLocked } from "@/components/vault/errors";
import { asVaultError } from "@/components/vault/shown-error";
import { ApiCallError, ServiceUnreachable } from "@/sdk/api/errors";
import { Http } from "@/sdk/api/http";
import { describeError } from "./describe-error";

/** Sends a request whose response is lost, or is this one, and returns what is said of it. */
async function said(method: string, response?: { status: number; body?: string; id?: string }) {
  const respond = async () => {
    if (!response) throw new TypeError("Failed to fetch");
    const { status, body = "<html>", id } = response;
    return new Response(body, { status, headers: id ? { "x-request-id": id } : {} });
  };
  const sent = new Http("https://halcyon.example", { fetch: respond }).send(method, "/api/x", { json: {} });
  const error = await sent.then(
    () => {
      throw new Error("it did not fail");
    },
    (thrown: unknown) => thrown,
  );
  const words = describeError(error);
  // The vault's worker reports the same.
  expect(describeError(fromVaultError(asVaultError(error)))).toEqual(words);
  return { ...words, toast: failureMessage(words, "Nothing was sent").title };
}

const refusal = (code: string) => JSON.stringify({ error: { code, message: "Not now." } });

test.each([
  ["the response is lost", undefined],
  ["a proxy responds", { status: 502 }],
  ["the service fails inside", { status: 500, body: refusal("internal"), id: "req_1" }],
  ["the service is away from its database", { status: 503, body: refusal("unavailable"), id: "req_1" }],
])("where %s to a change, nothing says that it was not done", async (_, response) => {
  expect(await said("POST", response)).toMatchObject({
    message: expect.stringMatching(/^We don't know yet whether this was done/),
    isUnknown: true,
    toast: "Not known yet",
  });
});

test("where the service refuses, it is said that it was not done", async () => {
  expect(await said("POST", { status: 409, body: refusal("conflict"), id: "req_1" })).toMatchObject({
    message: "Not now.",
    isUnknown: false,
    toast: "Nothing was sent",
  });
});

test("a read changes nothing, however it fails", () => {
  const error = new ServiceUnreachable("-");
  expect(describeError(error)).toMatchObject({ isUnknown: false });
  expect(describeError(new ApiCallError("unavailable", "-", { status: 502 }))).toMatchObject({ isUnknown: false });
});

test("someone who did not unlock sees no error, and someone who locked while a change was made sees that it is open", () => {
  expect(describeError(new VaultLocked())).toMatchObject({ gaveUp: true });
  const cut = Object.assign(new VaultLocked(), { mayHaveHappened: true });
  expect(describeError(cut)).toMatchObject({ gaveUp: false, isUnknown: true });
});
