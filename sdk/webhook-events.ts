import type {
  AgentTransactionEventPayload,
  PolicyUpdatedEventPayload,
  TransferEventPayload,
} from "@/lib/events/payloads";

/** What every event has. */
interface CommonFields<T extends string> {
  event: T;
  /** Stable over retries and replays: drop what you have seen. */
  event_id: string;
  /** Handle with @ of the account or agent concerned. */
  account: string;
  /** When it happened: ISO 8601, UTC. */
  timestamp: string;
  /** Only in samples that `POST /v1/webhooks/{webhook_id}/test` sends. */
  test?: true;
}

type TransferEventType = "transfer.initiated" | "transfer.confirmed" | "transfer.failed";
type AgentTransactionEventType =
  | "agent.transaction.pending_approval"
  | "agent.transaction.approved"
  | "agent.transaction.rejected";

/** An event as webhooks deliver and `GET /v1/events` lists it; `event` tells which. Never an amount. */
export type HalcyonEvent =
  | (CommonFields<TransferEventType> & TransferEventPayload)
  | (CommonFields<AgentTransactionEventType> & AgentTransactionEventPayload)
  | (CommonFields<"agent.policy.updated"> & PolicyUpdatedEventPayload);
