import { expect, test, vi } from "vitest";
import { schemaErrors } from "./schema-errors";

vi.mock("kubernetes-models/v1/Secret", () => {
  throw new Error("half an installation");
});

const manifest = (kind: string) => ({ apiVersion: "v1", kind, metadata: { name: "one" } });

test("a kind that Kubernetes does not have is named", async () => {
  expect(await schemaErrors(manifest("Unheard"))).toEqual(["Unheard one: Kubernetes has no Unheard in v1"]);
});

test("a schema that can't be loaded is no unknown kind", async () => {
  await expect(schemaErrors(manifest("Secret"))).rejects.toThrow();
});
