import { HalcyonError } from "./errors";
import type { Http } from "./http";

/**
 * Returns the service's response, and refuses one about something else than was asked for.
 *
 * @param field the response's field that names what it is about
 * @param changes whether the request changes something, which may then have happened
 * @throws HalcyonError `unavailable`
 */
export async function requireSameId<T extends object>(
  field: keyof T & string,
  id: string,
  asked: T | Promise<T>,
  changes = false,
): Promise<T> {
  const response: T | null | undefined = await asked;
  if (response?.[field] === id) return response;
  const refused = new HalcyonError("unavailable", `The service's response is about something else than ${id}.`);
  if (changes) refused.mayHaveHappened = true;
  throw refused;
}

/**
 * Reads the object with an id from below a path, with the API key.
 *
 * @throws HalcyonError `unavailable` for another one
 */
export async function getOnly<T extends object>(
  { http, bearer }: { http: Http; bearer: Record<string, string> },
  path: string,
  field: keyof T & string,
  id: string,
  query?: Record<string, string>,
): Promise<T> {
  const { body } = await http.send("GET", `/v1/${path}/${encodeURIComponent(id)}`, {
    headers: bearer,
    ...(query && { query }),
  });
  return requireSameId(field, id, body as T);
}
