// drizzle-kit and the client want every table in one place.
export * from "./accounts";
export * from "./agents";
export * from "./audit";
export * from "./chain";
export * from "./disclosures";
export * from "./events";
export * from "./exact-payments";
export * from "./identity";
export * from "./jobs";
export * from "./keys";
export * from "./ledger";
export * from "./limits";
export * from "./payment-requests";
export * from "./payouts";
export * from "./schedules";
export * from "./transfers";
export * from "./webhooks";
