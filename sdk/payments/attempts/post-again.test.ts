import { expect, test } from "vitest";
import { Call } from "../../api/call";
import { ApiCallError, ServiceUnreachable } from "../../api/errors";
import { isLost, postAgain } from "./post-again";

const lost = () => new ServiceUnreachable("The service does not respond.");
const refused = () => new ApiCallError("available_balance_changed", "Build it again.", { status: 409 });

test("a document whose response was lost is sent again, the same one, three times at most", async () => {
  let posts = 0;
  const late = await postAgain(new Call(), async () => {
    if (++posts < 3) throw lost();
    return "made";
  });
  expect([late, posts]).toEqual(["made", 3]);
  posts = 0;
  const never = postAgain(new Call(), async () => {
    posts++;
    throw lost();
  });
  await expect(never).rejects.toBeInstanceOf(ServiceUnreachable);
  expect(posts).toBe(3);
});

test("what the service refuses is not sent again: its commitment is looked up on the chain", async () => {
  let posts = 0;
  const refusing = postAgain(new Call(), async () => {
    posts++;
    throw refused();
  });
  await expect(refusing).rejects.toMatchObject({ code: "available_balance_changed" });
  expect(posts).toBe(1);
  expect([lost(), new ApiCallError("unavailable", "-", { status: 503 }), refused()].map(isLost)).toEqual([
    true,
    true,
    false,
  ]);
});
