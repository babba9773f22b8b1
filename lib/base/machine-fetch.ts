/** Reports whether this runs in a page or its worker, where the browser chooses the encodings and decodes them. */
export const isPage = () => "location" in globalThis;

/**
 * This machine's `fetch`: a page's own, and in Node one whose responses reach no decoder (`nodeFetch`). Use it by way of
 * `plainFetch`.
 */
export const machineFetch: typeof fetch = async (...request) =>
  isPage() ? fetch(...request) : (await import("./node-fetch")).nodeFetch(...request);
