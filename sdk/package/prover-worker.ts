import { serveJobs } from "@/lib/prover/serve-jobs";
import { boundedFetch } from "../api/bounded-fetch";
import { Call } from "../api/call";
import { serviceCircuits } from "../context/platform/service-circuits";

/** Waits for the first message, which gives the service's address. All later messages are proving jobs. */
addEventListener(
  "message",
  ({ data }: MessageEvent<{ circuitsOf: string }>) =>
    serveJobs(serviceCircuits(data.circuitsOf, boundedFetch(new Call()))),
  { once: true },
);
