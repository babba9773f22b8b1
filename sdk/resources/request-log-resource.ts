import type { CallOptions } from "../api/call-options";
import { checkInput, type FieldsOf } from "../api/check-input";
import { PAGE, type Paged, type PageInput, paged } from "../api/paged";
import type { LoggedRequest, LoggedRequestList } from "../api/resources/request-log";
import { callApi, keyFirst } from "../context/call-api";
import { Resource } from "./resource";

/** Filters for a list of requests, and its paging. */
export interface ListRequestsInput extends PageInput {
  /** Only requests that succeeded, were refused (4xx), or failed at the service (5xx). */
  outcome?: "succeeded" | "refused" | "failed" | undefined;
  /** Only requests with this method. */
  method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE" | undefined;
  /** Only requests with this API key, by its id. */
  key?: string | undefined;
}

const LIST: FieldsOf<ListRequestsInput> = { ...PAGE, outcome: "text", method: "text", key: "text" };

/**
 * What your programs asked in the last 7 days: `halcyon.requestLog`. Needs an API key of the account, or its wallet.
 */
export class RequestLogResource extends Resource {
  /**
   * Lists requests with the account's API keys, newest first, without what they contained.
   *
   * @example
   * for await (const { route, error_code, request_id } of halcyon.requestLog.list({ outcome: "refused" })) {
   *   console.log(route, error_code, request_id);
   * }
   */
  list(input: ListRequestsInput = {}, options?: CallOptions): Paged<LoggedRequestList, LoggedRequest> {
    checkInput(input, LIST);
    const context = this.context.within(options);
    const read = ({ startingAfter, ...filters }: ListRequestsInput) => {
      const query = { ...filters, starting_after: startingAfter };
      return callApi<LoggedRequestList>(context, "GET", "/v1/request-log", { query, by: keyFirst(context) });
    };
    return paged({ read, entries: ({ requests }) => requests, id: ({ request_id }) => request_id }, input);
  }
}
