"""Faults on demand: everything that can go wrong on live Telegram or with the model, when a test or scene wants it.

This text is for authors of tests and scenes.

**In the server's process**, through the console::

    fault_id = await server.console.inject(FaultRule(FaultKind.FLOOD_WAIT, "messages.sendMessage", seconds=30))
    ...
    await server.console.remove_fault(fault_id)

`rehearsal(after=revision)` returns as soon as something has changed: use it to wait until a fault hits, never a sleep.
The console's `cast().faults` lists ready-made rules by name (`catalogue`); scenes use these names too. Tests with the
sandbox in another process call the same methods over their control channel (`tests/support/control`).

**A rule** says what happens (`kind`), on which calls (`method` in Telegram's notation, empty for any; `account_id`, 0
for any), how often (`times`, 0 for until it is removed) and how likely (`probability`). At most one rule hits a call:
the oldest that matches and whose probability comes up. An invalid rule is refused with a ValueError whose text is for
the operator. The random numbers come from one generator (`set_seed`): the same seed, rules and calls give the same
faults.

=====================  =========================================  =====================================================
kind                   fields                                     what happens
=====================  =========================================  =====================================================
FLOOD_WAIT             method, account, seconds                   420, not executed; counts down, see below
RPC_ERROR              method, account, code, message             that error, not executed
SLOW                   method, account, seconds                   executed at once, answered later; others overtake it
FROZEN                 account                                    420 for all calls that write; getAppConfig says so
NO_ANSWER              method, account                            executed, never answered; the connection stays
DROP_BEFORE            method, account                            not executed, the connection is cut
DROP_AFTER             method, account                            executed and committed, then the connection is cut
LOSE_UPDATES           account                                    the push is not sent; getDifference has it
DUPLICATE_UPDATES      account                                    the push is sent twice
REORDER_UPDATES        account                                    the push is sent after the one that follows it
DIFFERENCE_TOO_LONG    account (needed)                           the next getDifference says so and has no updates
LATER_LAYER            account (needed)                           its next message holds an unknown object, for good
KICK                   account (needed)                           its connections are cut
FORGET_KEY             account (needed)                           all its keys become unknown (-404), for good
REVOKE                 account (needed)                           all its sessions are logged out (401), for good
RESTART                seconds                                    connections are refused so long; same port after
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
  fault without a method hits this too, and all other automatic calls of a client (`updates.getDifference`).
* **FLOOD_WAIT counts down** as on live Telegram: after a hit, further calls of the same method by the same account get
  the remaining wait, also when the rule has ended. Only new hits count for `times`. Removing the rule ends the wait.
* After **FORGET_KEY** and **REVOKE** `SandboxServer.auth_key_for` returns a new key that works.
* `inject` of a **RESTART** returns when the server listens again; the injector's `begin` does not wait.
* **DIFFERENCE_TOO_LONG** is about an account's own updates; for those of a supergroup, remove its log
  (`World.forget_log`, with its marked id).
* A push that **REORDER_UPDATES** delays waits for the account's next push, which no rule hits, and is dropped if the
  account has no connection left.
* One push can have several updates; those of one call are bundled (`speak_many`).

**Repeated `random_id`** (`set_duplicate_mode`): `error` refuses it (500 RANDOM_ID_DUPLICATE, as live), `same` returns
the first answer (one of the last 250, in memory; else `error`), `forgotten` sends it again, `forgotten_later` refuses
it for ten minutes of the server's clock and sends it again after that. `forget_random_ids(older_than_s)` simulates
passed time: the random ids of messages at least so old are forgotten for good.

The modules: `board` decides which calls are hit, `checks` validates rules, `outcomes` makes the outcome of a call,
`pushes` that of a push, `at_once` executes rules at once, `repeats` handles repeats, `injector` accepts rules,
`catalogue` lists the faults to choose. The faults of the model are in `sandbox/model/troubles.py`.
"""
