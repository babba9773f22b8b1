import { expect, test } from "vitest";
import { transactionError } from "./signer";

const named = (name: string, more: object = {}) => Object.assign(new Error("-"), { name, ...more });
const wrapped = (cause: Error) => Object.assign(new Error("-", { cause }), { name: "TransactionExecutionError" });

test.each([
  ["the person declined", named("UserRejectedRequestError")],
  ["the person declined, in the code of EIP-1193", wrapped(named("Error", { code: 4001 }))],
  ["the person declined, in the code of ethers", wrapped(named("Error", { code: "ACTION_REJECTED" }))],
  [
    "the person declined, in words alone",
    named("InternalRpcError", { code: -32603, details: "User denied the request." }),
  ],
  ["no wallet was connected", named("ConnectorNotConnectedError")],
  ["the wallet was on another chain", wrapped(named("ChainMismatchError"))],
  ["the wallet sends none", named("MethodNotFoundRpcError", { code: -32601 })],
])("a transaction has certainly not been sent where %s", (_, thrown) => {
  expect(transactionError(thrown)).not.toHaveProperty("mayHaveHappened");
});

test.each([
  ["reports a timeout", named("TimeoutError")],
  ["reports a fault inside", wrapped(named("InternalRpcError", { code: -32603 }))],
  ["was already waiting", named("ResourceUnavailableRpcError", { code: -32002 })],
])("a transaction may have been sent where the wallet %s", (_, thrown) => {
  expect(transactionError(thrown)).toMatchObject({ mayHaveHappened: true });
});
