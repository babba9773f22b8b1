import type { Network } from "@/lib/base/network";
import { Http, type HttpRequest } from "@/sdk/api/http";
import { watched } from "./service-watch";

type Query = HttpRequest["query"];

/** The session API of one network. The browser's cookies authenticate each call. */
export interface Api {
  get<T>(path: string, query?: Query): Promise<T>;
  post<T>(path: string, json?: unknown, query?: Query): Promise<T>;
  patch<T>(path: string, json?: unknown, query?: Query): Promise<T>;
  delete<T>(path: string, json?: unknown, query?: Query): Promise<T>;
}

/**
 * Returns a client for the session API. Its calls throw `ApiCallError` with `code`, `message` and `param`. If the
 * session has ended, the page asks the wallet to sign in again.
 */
export function api(network: Network): Api {
  const call = async <T>(method: string, path: string, request: HttpRequest): Promise<T> => {
    const query = { network, ...request.query };
    const response = await watched(new Http(location.origin).send(method, path, { ...request, query }));
    return response.body as T;
  };
  return {
    get: (path, query) => call("GET", path, { query }),
    post: (path, json = {}, query) => call("POST", path, { json, query }),
    patch: (path, json = {}, query) => call("PATCH", path, { json, query }),
    delete: (path, json = {}, query) => call("DELETE", path, { json, query }),
  };
}
