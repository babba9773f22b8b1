import { searchIndex } from "@/lib/http/docs/search-index";
import { textResponse } from "@/lib/http/docs/text-response";

/** Returns the index of the documentation's search: public text, the same for everyone. */
export async function GET(request: Request): Promise<Response> {
  const known = request.headers.get("if-none-match");
  return textResponse(await searchIndex(), { contentType: "application/json", known });
}
