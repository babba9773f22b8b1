import { readFileSync } from "node:fs";
import { expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { NetworkAccountResource } from "@/lib/accounts/account-resource";
import type { AgentResource, PolicyResource } from "@/lib/agents/agent-resource";
import type { AuditList } from "@/lib/audit/audit-resource";
import type { EventResource } from "@/lib/events/payloads";
import type { DryRunResource } from "@/lib/transfers/created-transfer-resource";
import type { DecidedResource, HeldDetails, HeldResource } from "@/lib/transfers/held/held-resource";
import type { CreateTransferInput } from "@/lib/transfers/schema";
import type { TransferList, TransferResource } from "@/lib/transfers/transfer-resource";
import type * as Resources from "@/sdk/api/resources";
import { DOCUMENT } from "./load";
import { RESOURCES, typesOf } from "./types";

test("the client's types are those of the committed document (else: npm run openapi)", () => {
  expect(readFileSync(RESOURCES, "utf8")).toBe(typesOf(readFileSync(DOCUMENT, "utf8")));
});

test("every schema of the document is a type, and explained", () => {
  const { components } = JSON.parse(readFileSync(DOCUMENT, "utf8")) as { components: { schemas: object } };
  const text = readFileSync(RESOURCES, "utf8");
  const types = [...text.matchAll(/\*\/\nexport (?:interface|type) (\w+)/g)].map(([, name]) => name);
  expect(types.sort()).toEqual(Object.keys(components.schemas).sort());
});

/** The same fields, and what the client gets is what the route's schema says. */
type Same<Client, Route> = keyof Client extends keyof Route
  ? keyof Route extends keyof Client
    ? Client extends Route
      ? true
      : "a field has another type"
    : "a field is missing"
  : "a field is made up";

test("what the client is typed with is what the routes parse and serialise with", () => {
  expectTypeOf<Same<Resources.Transfer, z.infer<typeof TransferResource>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Resources.TransferList, z.infer<typeof TransferList>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Resources.Account, z.infer<typeof NetworkAccountResource>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Resources.Agent, z.infer<typeof AgentResource>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Resources.SpendPolicy, z.infer<typeof PolicyResource>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Resources.HeldPayment, z.infer<typeof HeldResource>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Resources.HeldPaymentDetails, z.infer<typeof HeldDetails>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Resources.DecidedPayment, z.infer<typeof DecidedResource>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Resources.DryRun, z.infer<typeof DryRunResource>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Resources.AuditList, z.infer<typeof AuditList>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Resources.CreateTransfer, z.input<typeof CreateTransferInput>>>().toEqualTypeOf<true>();
  expectTypeOf<Resources.Event>().toExtend<z.infer<typeof EventResource>>();
  expectTypeOf<Resources.Event["event"]>().toEqualTypeOf<z.infer<typeof EventResource>["event"]>();
});
