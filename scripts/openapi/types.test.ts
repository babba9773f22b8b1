import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { NetworkAccountResource } from "@/lib/accounts/account-resource";
import type { AgentResource, PolicyResource } from "@/lib/agents/agent-resource";
import type { AuditList } from "@/lib/events/audit/audit-resource";
import type { EventResource } from "@/lib/events/payloads";
import type { DecidedResource, HeldDetails, HeldResource } from "@/lib/payments/approvals/held-payment-resource";
import type { DryRunResource } from "@/lib/payments/created-transfer-resource";
import type { CreateTransferInput } from "@/lib/payments/schema";
import type { TransferList, TransferResource } from "@/lib/payments/transfer-resource";
import type * as Accounts from "@/sdk/api/resources/accounts";
import type * as Agents from "@/sdk/api/resources/agents";
import type * as Approvals from "@/sdk/api/resources/approvals";
import type * as AuditLog from "@/sdk/api/resources/audit-log";
import type * as Events from "@/sdk/api/resources/events";
import type * as Transfers from "@/sdk/api/resources/transfers";
import { DOCUMENT } from "./load";
import { RESOURCES, typesOf } from "./types";

test("the client's types are those of the committed document (else: npm run openapi)", () => {
  const committed = readdirSync(RESOURCES).map((file) => [file, readFileSync(path.join(RESOURCES, file), "utf8")]);
  expect(Object.fromEntries(committed)).toEqual(Object.fromEntries(typesOf(readFileSync(DOCUMENT, "utf8"))));
});

test("every schema of the document is a type, and explained", () => {
  const { components } = JSON.parse(readFileSync(DOCUMENT, "utf8")) as { components: { schemas: object } };
  const text = [...typesOf(readFileSync(DOCUMENT, "utf8")).values()].join("\n");
  const types = [...text.matchAll(/\*\/\nexport (?:interface|type) (\w+)/g)].map(([, name]) => name);
  expect(types.sort()).toEqual(Object.keys(components.schemas).sort());
});

test("the lines of a comment have at most 120 characters", () => {
  const lines = [...typesOf(readFileSync(DOCUMENT, "utf8")).values()].flatMap((text) => text.split("\n"));
  expect(lines.filter((line) => /^\s*\/?\*/.test(line) && line.length > 120)).toEqual([]);
});

/** Both types have the same fields, and the client's fields have the types of the route's schema. */
type Same<Client, Route> = keyof Client extends keyof Route
  ? keyof Route extends keyof Client
    ? Client extends Route
      ? true
      : "a field has another type"
    : "a field is missing"
  : "a field is made up";

test("what the client is typed with is what the routes parse and serialise with", () => {
  expectTypeOf<Same<Transfers.Transfer, z.infer<typeof TransferResource>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Transfers.TransferList, z.infer<typeof TransferList>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Accounts.Account, z.infer<typeof NetworkAccountResource>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Agents.Agent, z.infer<typeof AgentResource>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Transfers.SpendPolicy, z.infer<typeof PolicyResource>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Transfers.HeldPayment, z.infer<typeof HeldResource>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Approvals.HeldPaymentDetails, z.infer<typeof HeldDetails>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Approvals.DecidedPayment, z.infer<typeof DecidedResource>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Transfers.DryRun, z.infer<typeof DryRunResource>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<AuditLog.AuditList, z.infer<typeof AuditList>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Transfers.CreateTransfer, z.input<typeof CreateTransferInput>>>().toEqualTypeOf<true>();
  expectTypeOf<Events.Event>().toExtend<z.infer<typeof EventResource>>();
  expectTypeOf<Events.Event["event"]>().toEqualTypeOf<z.infer<typeof EventResource>["event"]>();
});
