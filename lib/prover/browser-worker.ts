import { serveJobs } from "./serve-jobs";

serveJobs({
  // Revalidated each time: a key of an earlier release proves nothing to today's contracts.
  read: async (file) => {
    const response = await fetch(`/circuits/${file}`, { cache: "no-cache", credentials: "omit" });
    if (!response.ok) throw new Error("a circuit could not be loaded");
    return new Uint8Array(await response.arrayBuffer());
  },
});
