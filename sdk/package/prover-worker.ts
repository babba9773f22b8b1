import { serveJobs } from "@/lib/prover/serve-jobs";
import { boundedFetch } from "../api/bounded-fetch";
import { Call } from "../api/call";
import { serviceCircuits } from "../platform/service-circuits";

/** The first message names the service; what comes after it are jobs. */
addEventListener(
  "message",
  ({ data }: MessageEvent<{ circuitsOf: string }>) =>
    serveJobs(
      serviceCircuits(
        data.circuitsOf,
        boundedFetch(new Call(), (input, init) => fetch(input, init)),
      ),
    ),
  { once: true },
);
