import { expect, test, vi } from "vitest";
import { VaultLocked } from "@/components/vault/errors";
import { ApiCallError, ServiceUnreachable } from "@/sdk/api/errors";
import { Creation } from "./create-once";
import { isUnknown } from "./unknown-outcome";

const lost = () => Object.assign(new ServiceUnreachable("-"), { mayHaveHappened: true });
const refused = () => new ApiCallError("invalid_request", "No.", { status: 400 });

/** A form's creation, whose service fails with these errors, one after the other. */
function creationWith(...errors: Error[]) {
  const creation = new Creation<{ to: string }, number>();
  const stored: number[] = [];
  let encrypted = 0;
  const encrypt = vi.fn(async () => ++encrypted);
  const store = async (number: number) => {
    stored.push(number);
    const error = errors.shift();
    if (error) throw error;
    return `stored ${number}`;
  };
  const create = (to: string) => creation.create({ to }, encrypt, store);
  return { creation, create, stored };
}

test("what may exist is sent again as the same, whatever failed in between, until it is there", async () => {
  const { create, stored } = creationWith(lost(), refused(), new VaultLocked(), lost());
  for (let tries = 0; tries < 4; tries++) {
    // A later refusal says nothing of the first.
    expect(isUnknown(await create("@ada").catch((error: unknown) => error))).toBe(true);
  }
  expect(await create("@ada")).toBe("stored 1");
  expect(stored).toEqual([1, 1, 1, 1, 1]);
  expect(await create("@ada")).toBe("stored 2");
});

test("what was refused is encrypted again, because it may be what was refused", async () => {
  const { create, stored } = creationWith(refused());
  expect(isUnknown(await create("@ada").catch((error: unknown) => error))).toBe(false);
  expect(await create("@ada")).toBe("stored 2");
  expect(stored).toEqual([1, 2]);
});

test("while something may exist, another one is made only once the person says that it does not", async () => {
  const { creation, create, stored } = creationWith(lost());
  expect(creation.isOther({ to: "@bob" })).toBe(false);
  await create("@ada").catch(() => {});
  expect(creation.isOther({ to: "@ada" })).toBe(false);
  expect(creation.isOther({ to: "@bob" })).toBe(true);
  await expect(create("@bob")).rejects.toThrow();
  expect(stored).toEqual([1]);
  creation.forget();
  expect(await create("@bob")).toBe("stored 2");
});

test("what was lost while it was encrypted created nothing", async () => {
  const creation = new Creation<string, number>();
  const failed = creation.create(
    "@ada",
    () => Promise.reject(lost()),
    async () => {},
  );
  expect(isUnknown(await failed.catch((error: unknown) => error))).toBe(false);
  expect(creation.isOther("@bob")).toBe(false);
});
