"""Faults on order: everything that can go wrong on live Telegram or with the model, whenever a test or scene wants it.

For people who write tests and scenes.

**In the server's process**, through the console::

    fault_id = await server.console.inject(FaultRule(FaultKind.FLOOD_WAIT, "messages.sendMessage", seconds=30))
    ...
    await server.console.remove_fault(fault_id)

`rehearsal(after=revision)` returns as soon as something has changed: wait with it for a fault to strike, never with a
sleep. The console's `cast().faults` lists ready-made rules by name (`catalogue`); scenes use these names too. Tests
that have the sandbox in another process reach the same methods over their control channel (`tests/support/control`).

**A rule** says what (`kind`), on which calls (`method` in Telegram's notation, empty for any; `account_id`, 0 for any),
how often (`times`, 0 for until it is taken back) and with what chance (`probability`). The oldest rule that matches and
whose chance comes up strikes, one a call. A rule that makes no sense is refused with a ValueError in words for the
operator. Chance comes from one generator (`set_seed`): same seed, same rules and same calls give the same faults.

=====================  =========================================  =====================================================
kind                   fields                                     what happens
=====================  =========================================  =====================================================
FLOOD_WAIT             method, account, seconds                   420, not executed; counts down, see below
RPC_ERROR              method, account, code, message             that error, not executed
SLOW                   method, account, seconds                   executed at once, answered later; others overtake it
FROZEN                 account                                    420 for all that writes, and getAppConfig says so
NO_ANSWER              method, account                            executed, never answered; the connection stays
DROP_BEFORE            method, account                            not executed, the connection is cut
DROP_AFTER             method, account                            executed and committed, then the connection is cut
LOSE_UPDATES           account                                    the push is not sent; getDifference brings it
DUPLICATE_UPDATES      account                                    the push is sent twice
REORDER_UPDATES        account                                    the push is sent after the one that follows it
DIFFERENCE_TOO_LONG    account (needed)                           the next getDifference says so and brings nothing
LATER_LAYER            account (needed)                           its next message holds an unknown object, for good
KICK                   account (needed)                           its connections are cut
FORGET_KEY             account (needed)                           all its keys become unknown (-404), for good
REVOKE                 account (needed)                           all its sessions are logged out (401), for good
RESTART                seconds                                    Telegram refuses connections so long; same port after
MODEL_ERROR            method, code, message, seconds             that HTTP error; RetryInfo if 429 or 503 and seconds
MODEL_SLOW             method, seconds                            answered later
MODEL_HANG             method                                     never answered
MODEL_DROP             method                                     the connection is cut in the middle of the answer
MODEL_BAD_JSON         method                                     200 with a broken body
MODEL_BLOCKED          method                                     promptFeedback, no candidates
MODEL_EMPTY            method                                     a candidate without content
MODEL_SAFETY           method                                     finishReason SAFETY, no text
MODEL_MAX_TOKENS       method                                     finishReason MAX_TOKENS, no text
MODEL_ODD_END          method, message                            that finishReason (OTHER, one nobody knows), no text
MODEL_NO_CANDIDATES    method                                     200 with an empty list of candidates
MODEL_THOUGHTS         method                                     finishReason STOP, only parts of thoughts
MODEL_CUT_OFF          method                                     the text ends in its last line, MAX_TOKENS
=====================  =========================================  =====================================================

* Calls are seen through `invokeWithLayer` and `initConnection`: the first call of a connection is `help.getConfig`. A
  fault without a method strikes also that, and whatever else a client does of itself (`updates.getDifference`).
* **FLOOD_WAIT counts down** as on live Telegram: once it struck, further calls of the same method by the same account
  get what remains of the wait, also when the rule has ended. Only fresh strikes count against `times`. Taking the rule
  back ends the wait.
* After **FORGET_KEY** and **REVOKE** `SandboxServer.auth_key_for` gives a fresh key that works.
* `inject` of a **RESTART** returns when the server listens again; the desk's `begin` does not wait.
* **DIFFERENCE_TOO_LONG** is about an account's own updates; for a supergroup's let its log be forgotten
  (`World.forget_log`, with its marked id).
* A push that **REORDER_UPDATES** holds back waits for the account's next push, which nothing strikes, and is forgotten
  if nobody hears that.
* One push can hold several updates; several are bundled when they were made in one go (`speak_many`).

**Repeated `random_id`** (`set_duplicate_mode`): `error` refuses it (500 RANDOM_ID_DUPLICATE, as live), `same` gives the
first answer again (of the last 250, in memory; else `error`), `forgotten` sends it again, `forgotten_later` refuses it
for ten minutes of the server's clock and sends it again after that.
`forget_random_ids(older_than_s)` lets time pass: names of messages at least so old are forgotten for good.

Where things are: `board` decides who is struck, `checks` what makes sense, `outcomes` what comes of a call, `pushes` of
a push, `at_once` what happens at once, `repeats` the repeats, `desk` takes the orders, `catalogue` lists what people
pick. The model's side is `sandbox/model/troubles.py`.
"""
