<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>ActivePage</name>
    <message numerus="yes">
        <source>%n active fault(s)</source>
        <translation>
            <numerusform>%n active fault</numerusform>
            <numerusform>%n active faults</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AgentActivities</name>
    <message numerus="yes">
        <source>Plans for {who} and %n more</source>
        <translation>
            <numerusform>Plans for {who} and %n more</numerusform>
            <numerusform>Plans for {who} and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AgentComposer</name>
    <message numerus="yes">
        <source>the pasted text was %Ln character(s) too long and was cut</source>
        <translation>
            <numerusform>the pasted text was %Ln character too long and was cut</numerusform>
            <numerusform>the pasted text was %Ln characters too long and was cut</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>will be sent as %n message(s)</source>
        <translation>
            <numerusform>will be sent as %n message</numerusform>
            <numerusform>will be sent as %n messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{agent} then waits %n min here</source>
        <translation>
            <numerusform>{agent} then waits %n min here</numerusform>
            <numerusform>{agent} then waits %n min here</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AgentFacts</name>
    <message numerus="yes">
        <source>%n message(s) sent</source>
        <translation>
            <numerusform>%n message sent</numerusform>
            <numerusform>%n messages sent</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Quiet hours in %n chat(s)</source>
        <translation>
            <numerusform>Quiet hours in %n chat</numerusform>
            <numerusform>Quiet hours in %n chats</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Agents</name>
    <message numerus="yes">
        <source>And %n more</source>
        <translation>
            <numerusform>And %n more</numerusform>
            <numerusform>And %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ApprovalsPaused</name>
    <message numerus="yes">
        <source>%n chat(s) are paused</source>
        <translation>
            <numerusform>%n chat is paused</numerusform>
            <numerusform>%n chats are paused</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) wait unanswered. You decide how to continue.</source>
        <translation>
            <numerusform>%n chat waits unanswered. You decide how to continue.</numerusform>
            <numerusform>%n chats wait unanswered. You decide how to continue.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ArrivalsLine</name>
    <message numerus="yes">
        <source>Show %n new card(s)</source>
        <translation>
            <numerusform>Show %n new card</numerusform>
            <numerusform>Show %n new cards</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Attachments</name>
    <message numerus="yes">
        <source>at most %n file(s) at once</source>
        <translation>
            <numerusform>at most %n file at once</numerusform>
            <numerusform>at most %n files at once</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BacklogDialog</name>
    <message numerus="yes">
        <source>%n more above</source>
        <translation>
            <numerusform>%n more above</numerusform>
            <numerusform>%n more above</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more below</source>
        <translation>
            <numerusform>%n more below</numerusform>
            <numerusform>%n more below</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Reject %n selected</source>
        <translation>
            <numerusform>Reject %n selected</numerusform>
            <numerusform>Reject %n selected</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Bars</name>
    <message numerus="yes">
        <source>%n account(s) wait, next try in {time}.</source>
        <translation>
            <numerusform>%n account waits, next try in {time}.</numerusform>
            <numerusform>%n accounts wait, next try in {time}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n account(s) wait.</source>
        <translation>
            <numerusform>%n account waits.</numerusform>
            <numerusform>%n accounts wait.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) are paused.</source>
        <translation>
            <numerusform>%n chat is paused.</numerusform>
            <numerusform>%n chats are paused.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n planned message(s) were held and need review.</source>
        <translation>
            <numerusform>%n planned message was held and needs review.</numerusform>
            <numerusform>%n planned messages were held and need review.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Couldn't plan a reply to {title} in %n attempt(s).</source>
        <translation>
            <numerusform>Couldn't plan a reply to {title} in %n attempt.</numerusform>
            <numerusform>Couldn't plan a reply to {title} in %n attempts.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Couldn't plan replies in %n chat(s).</source>
        <translation>
            <numerusform>Couldn't plan replies in %n chat.</numerusform>
            <numerusform>Couldn't plan replies in %n chats.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Planning is paused, %n chat(s) wait.</source>
        <translation>
            <numerusform>Planning is paused, %n chat waits.</numerusform>
            <numerusform>Planning is paused, %n chats wait.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Batch</name>
    <message numerus="yes">
        <source>%n changed: opens first</source>
        <translation>
            <numerusform>%n changed: opens first</numerusform>
            <numerusform>%n changed: opens first</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not read: opens first</source>
        <translation>
            <numerusform>%n not read: opens first</numerusform>
            <numerusform>%n not read: opens first</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n to decide one by one</source>
        <translation>
            <numerusform>%n to decide one by one</numerusform>
            <numerusform>%n to decide one by one</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BatchBar</name>
    <message numerus="yes">
        <source>%n approved</source>
        <translation>
            <numerusform>%n approved</numerusform>
            <numerusform>%n approved</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n can't be undone any more</source>
        <translation>
            <numerusform>%n can't be undone any more</numerusform>
            <numerusform>%n can't be undone any more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changed meanwhile and wait</source>
        <translation>
            <numerusform>%n changed meanwhile and wait</numerusform>
            <numerusform>%n changed meanwhile and wait</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n postponed</source>
        <translation>
            <numerusform>%n postponed</numerusform>
            <numerusform>%n postponed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rejected</source>
        <translation>
            <numerusform>%n rejected</numerusform>
            <numerusform>%n rejected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n selected</numerusform>
            <numerusform>%n selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n undone</source>
        <translation>
            <numerusform>%n undone</numerusform>
            <numerusform>%n undone</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Approve %n</source>
        <translation>
            <numerusform>Approve %n</numerusform>
            <numerusform>Approve %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Reject %n</source>
        <translation>
            <numerusform>Reject %n</numerusform>
            <numerusform>Reject %n</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BudgetBox</name>
    <message numerus="yes">
        <source>%n wait(s), nothing is lost</source>
        <translation>
            <numerusform>%n waits, nothing is lost</numerusform>
            <numerusform>%n wait, nothing is lost</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CapQuestion</name>
    <message numerus="yes">
        <source>%n chat(s) wait unanswered.</source>
        <translation>
            <numerusform>%n chat waits unanswered.</numerusform>
            <numerusform>%n chats wait unanswered.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more cap(s) are reached.</source>
        <translation>
            <numerusform>%n more cap is reached.</numerusform>
            <numerusform>%n more caps are reached.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChangedBlock</name>
    <message numerus="yes">
        <source>%n change(s) since this was planned</source>
        <translation>
            <numerusform>%n change since this was planned</numerusform>
            <numerusform>%n changes since this was planned</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CharacterCards</name>
    <message numerus="yes">
        <source>Assets on the web, never fetched: %n</source>
        <translation>
            <numerusform>Assets on the web, never fetched: %n</numerusform>
            <numerusform>Assets on the web, never fetched: %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Assets: %n</source>
        <translation>
            <numerusform>Assets: %n</numerusform>
            <numerusform>Assets: %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Decorators (@@) in its lore: %n</source>
        <translation>
            <numerusform>Decorators (@@) in its lore: %n</numerusform>
            <numerusform>Decorators (@@) in its lore: %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Further greetings: %n</source>
        <translation>
            <numerusform>Further greetings: %n</numerusform>
            <numerusform>Further greetings: %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Lore that is always on: %n</source>
        <translation>
            <numerusform>Lore that is always on: %n</numerusform>
            <numerusform>Lore that is always on: %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Lore that waits for keywords or is off: %n</source>
        <translation>
            <numerusform>Lore that waits for keywords or is off: %n</numerusform>
            <numerusform>Lore that waits for keywords or is off: %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Sources: %n</source>
        <translation>
            <numerusform>Sources: %n</numerusform>
            <numerusform>Sources: %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Tags: %n</source>
        <translation>
            <numerusform>Tags: %n</numerusform>
            <numerusform>Tags: %n</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChatHeader</name>
    <message numerus="yes">
        <source>Group, %n member(s)</source>
        <translation>
            <numerusform>Group, %n member</numerusform>
            <numerusform>Group, %n members</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChatNews</name>
    <message numerus="yes">
        <source>You · %n min</source>
        <translation>
            <numerusform>You · %n min</numerusform>
            <numerusform>You · %n min</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChatTreeModel</name>
    <message numerus="yes">
        <source>%n waiting for you</source>
        <translation>
            <numerusform>%n waiting for you</numerusform>
            <numerusform>%n waiting for you</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>you took over, %n min left</source>
        <translation>
            <numerusform>you took over, %n min left</numerusform>
            <numerusform>you took over, %n min left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CodeField</name>
    <message numerus="yes">
        <source>Code, %n character(s)</source>
        <translation>
            <numerusform>Code, %n character</numerusform>
            <numerusform>Code, %n characters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Column</name>
    <message numerus="yes">
        <source>%n change(s)</source>
        <translation>
            <numerusform>%n change</numerusform>
            <numerusform>%n changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ConfigDirectory</name>
    <message numerus="yes">
        <source>It replaces all %n that are in use now.</source>
        <translation>
            <numerusform>It replaces the one that is in use now.</numerusform>
            <numerusform>It replaces all %n that are in use now.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ConflictsPage</name>
    <message numerus="yes">
        <source>%n need(s) a look</source>
        <translation>
            <numerusform>%n needs a look</numerusform>
            <numerusform>%n need a look</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Context</name>
    <message numerus="yes">
        <source>%n day(s)</source>
        <translation>
            <numerusform>%n day</numerusform>
            <numerusform>%n days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) for the next plan</source>
        <translation>
            <numerusform>%n message for the next plan</numerusform>
            <numerusform>%n messages for the next plan</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) left out, all under {most} %</source>
        <translation>
            <numerusform>%n message left out, all under {most} %</numerusform>
            <numerusform>%n messages left out, all under {most} %</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pin(s) for later plans</source>
        <translation>
            <numerusform>%n pin for later plans</numerusform>
            <numerusform>%n pins for later plans</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A fixed history: the newest %n message(s), whatever they are about. Nothing was chosen.</source>
        <translation>
            <numerusform>A fixed history: the newest %n message, whatever they are about. Nothing was chosen.</numerusform>
            <numerusform>A fixed history: the newest %n messages, whatever they are about. Nothing was chosen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} of %n message(s) taken</source>
        <translation>
            <numerusform>{n} of %n message taken</numerusform>
            <numerusform>{n} of %n messages taken</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ContextDetails</name>
    <message numerus="yes">
        <source>Chances of %n message(s)</source>
        <translation>
            <numerusform>Chances of %n message</numerusform>
            <numerusform>Chances of %n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CostMeter</name>
    <message numerus="yes">
        <source>%n model call(s)</source>
        <translation>
            <numerusform>%n model call</numerusform>
            <numerusform>%n model calls</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CostTable</name>
    <message numerus="yes">
        <source>%n call(s) estimated</source>
        <translation>
            <numerusform>%n call estimated</numerusform>
            <numerusform>%n calls estimated</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n call(s) without a price</source>
        <translation>
            <numerusform>%n call without a price</numerusform>
            <numerusform>%n calls without a price</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CostsPane</name>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n call</numerusform>
            <numerusform>%n calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n plan(s)</source>
        <translation>
            <numerusform>%n plan</numerusform>
            <numerusform>%n plans</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n plan(s) said nothing</source>
        <translation>
            <numerusform>%n plan said nothing</numerusform>
            <numerusform>%n plans said nothing</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>tokens of %n estimated</source>
        <translation>
            <numerusform>tokens of %n estimated</numerusform>
            <numerusform>tokens of %n estimated</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DecisionExport</name>
    <message numerus="yes">
        <source>%n decision(s) exported to {name}</source>
        <translation>
            <numerusform>%n decision exported to {name}</numerusform>
            <numerusform>%n decisions exported to {name}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DescribeManyDialog</name>
    <message numerus="yes">
        <source>Describe %n file(s)</source>
        <translation>
            <numerusform>Describe %n file</numerusform>
            <numerusform>Describe %n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DiffMode</name>
    <message numerus="yes">
        <source>%n part(s) changed</source>
        <translation>
            <numerusform>%n part changed</numerusform>
            <numerusform>%n parts changed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DraftBubble</name>
    <message numerus="yes">
        <source>%n change(s) in the conversation</source>
        <translation>
            <numerusform>%n change in the conversation</numerusform>
            <numerusform>%n changes in the conversation</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n newer message(s)</source>
        <translation>
            <numerusform>%n newer message</numerusform>
            <numerusform>%n newer messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DraftFields</name>
    <message numerus="yes">
        <source>%Ln character(s): shorten it to {most}</source>
        <translation>
            <numerusform>%Ln character: shorten it to {most}</numerusform>
            <numerusform>%Ln characters: shorten it to {most}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The pasted text was %Ln character(s) too long and was cut.</source>
        <translation>
            <numerusform>The pasted text was %Ln character too long and was cut.</numerusform>
            <numerusform>The pasted text was %Ln characters too long and was cut.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} characters: %n message(s)</source>
        <translation>
            <numerusform>{n} characters: %n message</numerusform>
            <numerusform>{n} characters: %n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EmptyChat</name>
    <message numerus="yes">
        <source>%n chat(s) have unread messages.</source>
        <translation>
            <numerusform>One chat has unread messages.</numerusform>
            <numerusform>%n chats have unread messages.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FactBar</name>
    <message numerus="yes">
        <source>%n account(s) connect again</source>
        <translation>
            <numerusform>%n account connects again</numerusform>
            <numerusform>%n accounts connect again</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n account(s) connect again, first {name} in {time}</source>
        <translation>
            <numerusform>%n account connects again, {name} in {time}</numerusform>
            <numerusform>%n accounts connect again, first {name} in {time}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n account(s) wait for Telegram, at most {time}</source>
        <translation>
            <numerusform>%n account waits for Telegram, at most {time}</numerusform>
            <numerusform>%n accounts wait for Telegram, at most {time}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n agent(s)</source>
        <translation>
            <numerusform>%n agent</numerusform>
            <numerusform>%n agents</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n chat</numerusform>
            <numerusform>%n chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unread message(s)</source>
        <translation>
            <numerusform>%n unread message</numerusform>
            <numerusform>%n unread messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FaultWords</name>
    <message numerus="yes">
        <source>next %n call(s)</source>
        <translation>
            <numerusform>next call</numerusform>
            <numerusform>next %n calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>triggered %n time(s)</source>
        <translation>
            <numerusform>triggered once</numerusform>
            <numerusform>triggered %n times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FileProblems</name>
    <message numerus="yes">
        <source>%n problem(s) in files</source>
        <translation>
            <numerusform>%n problem in a file</numerusform>
            <numerusform>%n problems in files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FirstRun</name>
    <message numerus="yes">
        <source>%n agent(s)</source>
        <translation>
            <numerusform>%n agent</numerusform>
            <numerusform>%n agents</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FixedPart</name>
    <message numerus="yes">
        <source>about %Ln token(s)</source>
        <translation>
            <numerusform>about %Ln token</numerusform>
            <numerusform>about %Ln tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HeldBanner</name>
    <message numerus="yes">
        <source>%n approved message(s) are held.</source>
        <translation>
            <numerusform>%n approved message is held.</numerusform>
            <numerusform>%n approved messages are held.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n planned message(s) wait for you.</source>
        <translation>
            <numerusform>%n planned message waits for you.</numerusform>
            <numerusform>%n planned messages wait for you.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message numerus="yes">
        <source>%n kept</source>
        <translation>
            <numerusform>%n kept</numerusform>
            <numerusform>%n kept</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KeyInputs</name>
    <message numerus="yes">
        <source>An API ID has at most %n digit(s) and is not 0.</source>
        <translation>
            <numerusform>An API ID has at most %n digit and is not 0.</numerusform>
            <numerusform>An API ID has at most %n digits and is not 0.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>This key looks too short: %n character(s).</source>
        <translation>
            <numerusform>This key looks too short: %n character.</numerusform>
            <numerusform>This key looks too short: %n characters.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LaterGroup</name>
    <message numerus="yes">
        <source>%n draft(s) postponed</source>
        <translation>
            <numerusform>%n draft postponed</numerusform>
            <numerusform>%n drafts postponed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Later · %n</source>
        <translation>
            <numerusform>Later · %n</numerusform>
            <numerusform>Later · %n</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Log</name>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n error</numerusform>
            <numerusform>%n errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n line</numerusform>
            <numerusform>%n lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n time(s) before for this agent, in the lines that are kept</source>
        <translation>
            <numerusform>%n time before for this agent, in the lines that are kept</numerusform>
            <numerusform>%n times before for this agent, in the lines that are kept</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n time(s) before, in the lines that are kept</source>
        <translation>
            <numerusform>%n time before, in the lines that are kept</numerusform>
            <numerusform>%n times before, in the lines that are kept</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Log in again. Until then this account sends nothing; %n draft(s) are held.</source>
        <translation>
            <numerusform>Log in again. Until then this account sends nothing; %n draft is held.</numerusform>
            <numerusform>Log in again. Until then this account sends nothing; %n drafts are held.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{shown} of %n line(s)</source>
        <translation>
            <numerusform>{shown} of %n line</numerusform>
            <numerusform>{shown} of %n lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{size} of {limit} MB, up to %n file(s) kept</source>
        <translation>
            <numerusform>{size} of {limit} MB, up to %n file kept</numerusform>
            <numerusform>{size} of {limit} MB, up to %n files kept</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LogPane</name>
    <message numerus="yes">
        <source>%n line(s) exported to {name}</source>
        <translation>
            <numerusform>%n line exported to {name}</numerusform>
            <numerusform>%n lines exported to {name}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Login</name>
    <message numerus="yes">
        <source>%n chat(s) found</source>
        <translation>
            <numerusform>%n chat found</numerusform>
            <numerusform>%n chats found</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) unread</source>
        <translation>
            <numerusform>%n message unread</numerusform>
            <numerusform>%n messages unread</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MediaPane</name>
    <message numerus="yes">
        <source>“{set}” is listed, %n new sticker(s).</source>
        <translation>
            <numerusform>“{set}” is listed, %n new sticker.</numerusform>
            <numerusform>“{set}” is listed, %n new stickers.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MediaWords</name>
    <message numerus="yes">
        <source>%n without a text</source>
        <translation>
            <numerusform>%n without a text</numerusform>
            <numerusform>%n without a text</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %n prompt(s)</source>
        <translation>
            <numerusform>in %n prompt</numerusform>
            <numerusform>in %n prompts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryPane</name>
    <message numerus="yes">
        <source>%Ln entry(s)</source>
        <translation>
            <numerusform>%Ln entry</numerusform>
            <numerusform>%Ln entries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln without a vector</source>
        <translation>
            <numerusform>%Ln without a vector</numerusform>
            <numerusform>%Ln without a vector</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n added</source>
        <translation>
            <numerusform>%n added</numerusform>
            <numerusform>%n added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n curated</source>
        <translation>
            <numerusform>%n curated</numerusform>
            <numerusform>%n curated</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edited</source>
        <translation>
            <numerusform>%n edited</numerusform>
            <numerusform>%n edited</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n from others</source>
        <translation>
            <numerusform>%n from others</numerusform>
            <numerusform>%n from others</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n remembered</source>
        <translation>
            <numerusform>%n remembered</numerusform>
            <numerusform>%n remembered</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n removed</source>
        <translation>
            <numerusform>%n removed</numerusform>
            <numerusform>%n removed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n searched</source>
        <translation>
            <numerusform>%n searched</numerusform>
            <numerusform>%n searched</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Learned in the chat with {name}; in this group %n member(s) may read the answers.</source>
        <translation>
            <numerusform>Learned in the chat with {name}; in this group %n member may read the answers.</numerusform>
            <numerusform>Learned in the chat with {name}; in this group %n members may read the answers.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>stopped, %Ln without a vector</source>
        <translation>
            <numerusform>stopped, %Ln without a vector</numerusform>
            <numerusform>stopped, %Ln without a vector</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryReview</name>
    <message numerus="yes">
        <source>%n member(s) saw it</source>
        <translation>
            <numerusform>%n member saw it</numerusform>
            <numerusform>%n members saw it</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other chat(s)</source>
        <translation>
            <numerusform>%n other chat</numerusform>
            <numerusform>%n other chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) in each prompt that takes it</source>
        <translation>
            <numerusform>%n token in each prompt that takes it</numerusform>
            <numerusform>%n tokens in each prompt that takes it</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n word(s)</source>
        <translation>
            <numerusform>%n word</numerusform>
            <numerusform>%n words</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>answers read by %n member(s)</source>
        <translation>
            <numerusform>answers read by %n member</numerusform>
            <numerusform>answers read by %n members</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MergeView</name>
    <message numerus="yes">
        <source>%Ln character(s)</source>
        <translation>
            <numerusform>%Ln character</numerusform>
            <numerusform>%Ln characters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) need your choice</source>
        <translation>
            <numerusform>%n place needs your choice</numerusform>
            <numerusform>%n places need your choice</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Choose at %n place(s) first</source>
        <translation>
            <numerusform>Choose at %n place first</numerusform>
            <numerusform>Choose at %n places first</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MessageWords</name>
    <message numerus="yes">
        <source>%n byte(s)</source>
        <translation>
            <numerusform>%n byte</numerusform>
            <numerusform>%n bytes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message numerus="yes">
        <source>%n model call(s) brought no reply</source>
        <translation>
            <numerusform>%n model call brought no reply</numerusform>
            <numerusform>%n model calls brought no reply</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Notes</name>
    <message numerus="yes">
        <source>It is more than %n minute(s) overdue</source>
        <translation>
            <numerusform>It is more than %n minute overdue</numerusform>
            <numerusform>It is more than %n minutes overdue</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>There were %n automatic send(s) in this chat within an hour</source>
        <translation>
            <numerusform>There was %n automatic send in this chat within an hour</numerusform>
            <numerusform>There were %n automatic sends in this chat within an hour</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>There were %n automatic send(s) of this account within an hour</source>
        <translation>
            <numerusform>There was %n automatic send of this account within an hour</numerusform>
            <numerusform>There were %n automatic sends of this account within an hour</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{why} (%n attempt(s))</source>
        <translation>
            <numerusform>{why} (%n attempt)</numerusform>
            <numerusform>{why} (%n attempts)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Notifications</name>
    <message numerus="yes">
        <source>%n accounts need you</source>
        <translation>
            <numerusform>%n accounts need you</numerusform>
            <numerusform>%n accounts need you</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n countdowns run in {chats} chats</source>
        <translation>
            <numerusform>%n countdowns run in {chats} chats</numerusform>
            <numerusform>%n countdowns run in {chats} chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n drafts wait in {chats} chats</source>
        <translation>
            <numerusform>%n drafts wait in {chats} chats</numerusform>
            <numerusform>%n drafts wait in {chats} chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages in {chats} chats may not have been delivered</source>
        <translation>
            <numerusform>%n messages in {chats} chats may not have been delivered</numerusform>
            <numerusform>%n messages in {chats} chats may not have been delivered</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{agent}: %n countdowns run for {who}</source>
        <translation>
            <numerusform>{agent}: %n countdowns run for {who}</numerusform>
            <numerusform>{agent}: %n countdowns run for {who}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{agent}: %n messages to {who} may not have been delivered</source>
        <translation>
            <numerusform>{agent}: %n messages to {who} may not have been delivered</numerusform>
            <numerusform>{agent}: %n messages to {who} may not have been delivered</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{agent}: %n messages to {who} wait</source>
        <translation>
            <numerusform>{agent}: %n messages to {who} wait</numerusform>
            <numerusform>{agent}: %n messages to {who} wait</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PageText</name>
    <message numerus="yes">
        <source>%n marker(s) escaped</source>
        <translation>
            <numerusform>%n marker escaped</numerusform>
            <numerusform>%n markers escaped</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln more character(s)</source>
        <translation>
            <numerusform>Show %Ln more character</numerusform>
            <numerusform>Show %Ln more characters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n chat</numerusform>
            <numerusform>%n chats</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Person</name>
    <message numerus="yes">
        <source>%n by the person</source>
        <translation>
            <numerusform>%n by the person</numerusform>
            <numerusform>%n by the person</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Exporting… %n portion(s) written</source>
        <translation>
            <numerusform>Exporting… %n portion written</numerusform>
            <numerusform>Exporting… %n portions written</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PlanRow</name>
    <message numerus="yes">
        <source>Approve all %n</source>
        <translation>
            <numerusform>Approve all %n</numerusform>
            <numerusform>Approve all %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Reject all %n</source>
        <translation>
            <numerusform>Reject all %n</numerusform>
            <numerusform>Reject all %n</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PromptDiff</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) the same</source>
        <translation>
            <numerusform>%n line the same</numerusform>
            <numerusform>%n lines the same</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n part(s) the same</source>
        <translation>
            <numerusform>%n part the same</numerusform>
            <numerusform>%n parts the same</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>+%Ln token(s)</source>
        <translation>
            <numerusform>+%Ln token</numerusform>
            <numerusform>+%Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>−%Ln token(s)</source>
        <translation>
            <numerusform>−%Ln token</numerusform>
            <numerusform>−%Ln tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PromptExport</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PromptHead</name>
    <message numerus="yes">
        <source>%Ln token(s) in</source>
        <translation>
            <numerusform>%Ln token in</numerusform>
            <numerusform>%Ln tokens in</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PromptParts</name>
    <message numerus="yes">
        <source>%Ln character(s)</source>
        <translation>
            <numerusform>%Ln character</numerusform>
            <numerusform>%Ln characters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n function(s)</source>
        <translation>
            <numerusform>%n function</numerusform>
            <numerusform>%n functions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) or entries over the limit of a prompt</source>
        <translation>
            <numerusform>%n line or entry over the limit of a prompt</numerusform>
            <numerusform>%n lines or entries over the limit of a prompt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) of other conversations</source>
        <translation>
            <numerusform>%n message of other conversations</numerusform>
            <numerusform>%n messages of other conversations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) over the limit of a prompt</source>
        <translation>
            <numerusform>%n message over the limit of a prompt</numerusform>
            <numerusform>%n messages over the limit of a prompt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s), by you</source>
        <translation>
            <numerusform>%n message, by you</numerusform>
            <numerusform>%n messages, by you</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s): a fixed history takes none</source>
        <translation>
            <numerusform>%n message: a fixed history takes none</numerusform>
            <numerusform>%n messages: a fixed history takes none</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s): deleted, or not stored</source>
        <translation>
            <numerusform>%n message: deleted, or not stored</numerusform>
            <numerusform>%n messages: deleted, or not stored</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n turn(s)</source>
        <translation>
            <numerusform>%n turn</numerusform>
            <numerusform>%n turns</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All before the newest %n: the history holds no more</source>
        <translation>
            <numerusform>All before the newest %n: the history holds no more</numerusform>
            <numerusform>All before the newest %n: the history holds no more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReadMode</name>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>%n found</numerusform>
            <numerusform>%n found</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n marker(s) escaped</source>
        <translation>
            <numerusform>%n marker escaped</numerusform>
            <numerusform>%n markers escaped</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Reasons</name>
    <message numerus="yes">
        <source>%n draft(s) of the old account will not be sent. {why}</source>
        <translation>
            <numerusform>%n draft of the old account will not be sent. {why}</numerusform>
            <numerusform>%n drafts of the old account will not be sent. {why}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A text of the character has more than %n characters without a space, as nothing that people write. Use another copy of the card.</source>
        <translation>
            <numerusform>A text of the character has more than %n characters without a space, as nothing that people write. Use another copy of the card.</numerusform>
            <numerusform>A text of the character has more than %n characters without a space, as nothing that people write. Use another copy of the card.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>From here on, there are %n more problem(s).</source>
        <translation>
            <numerusform>From here on, there is %n more problem.</numerusform>
            <numerusform>From here on, there are %n more problems.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing was found within %n s; indexing continues.</source>
        <translation>
            <numerusform>Nothing was found within %n s; indexing continues.</numerusform>
            <numerusform>Nothing was found within %n s; indexing continues.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Slow mode: this chat asks to wait %n s.</source>
        <translation>
            <numerusform>Slow mode: this chat asks to wait %n s.</numerusform>
            <numerusform>Slow mode: this chat asks to wait %n s.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Telegram asks to wait %n s more.</source>
        <translation>
            <numerusform>Telegram asks to wait %n s more.</numerusform>
            <numerusform>Telegram asks to wait %n s more.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Telegram asks to wait %n s.</source>
        <translation>
            <numerusform>Telegram asks to wait %n s.</numerusform>
            <numerusform>Telegram asks to wait %n s.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The character's texts have more than %n characters. Shorten its description and export it again.</source>
        <translation>
            <numerusform>The character's texts have more than %n characters. Shorten its description and export it again.</numerusform>
            <numerusform>The character's texts have more than %n characters. Shorten its description and export it again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The file is larger than %n MB. Export the character again without pictures and other assets.</source>
        <translation>
            <numerusform>The file is larger than %n MB. Export the character again without pictures and other assets.</numerusform>
            <numerusform>The file is larger than %n MB. Export the character again without pictures and other assets.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The key works with %n model(s).</source>
        <translation>
            <numerusform>The key works with %n model.</numerusform>
            <numerusform>The key works with %n models.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The text has %n character(s), more than can be sent at once. Shorten it.</source>
        <translation>
            <numerusform>The text has %n character, more than can be sent at once. Shorten it.</numerusform>
            <numerusform>The text has %n characters, more than can be sent at once. Shorten it.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Unpacked, the card would take more than %n MB, so it was not read. Use another copy of the card.</source>
        <translation>
            <numerusform>Unpacked, the card would take more than %n MB, so it was not read. Use another copy of the card.</numerusform>
            <numerusform>Unpacked, the card would take more than %n MB, so it was not read. Use another copy of the card.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Whether %n message(s) of the old account arrived can't be checked any more.</source>
        <translation>
            <numerusform>Whether %n message of the old account arrived can't be checked any more.</numerusform>
            <numerusform>Whether %n messages of the old account arrived can't be checked any more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RehearsalPane</name>
    <message numerus="yes">
        <source>%n active fault(s)</source>
        <translation>
            <numerusform>%n active fault</numerusform>
            <numerusform>%n active faults</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Replies</name>
    <message numerus="yes">
        <source>the plan has %n step(s) more than {0}, which were left out</source>
        <translation>
            <numerusform>the plan has %n step more than {0}, which was left out</numerusform>
            <numerusform>the plan has %n steps more than {0}, which were left out</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReviewPage</name>
    <message numerus="yes">
        <source>%n decided today</source>
        <translation>
            <numerusform>%n decided today</numerusform>
            <numerusform>%n decided today</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n to review</source>
        <translation>
            <numerusform>%n to review</numerusform>
            <numerusform>%n to review</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Rules</name>
    <message numerus="yes">
        <source>and %n more; “Remove all” removes them too</source>
        <translation>
            <numerusform>and %n more; “Remove all” removes it too</numerusform>
            <numerusform>and %n more; “Remove all” removes them too</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunResult</name>
    <message numerus="yes">
        <source>Parsed: %n step(s), none of which is done</source>
        <translation>
            <numerusform>Parsed: %n step, none of which is done</numerusform>
            <numerusform>Parsed: %n steps, none of which is done</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Rebuilt, %n edit(s)</source>
        <translation>
            <numerusform>Rebuilt, %n edit</numerusform>
            <numerusform>Rebuilt, %n edits</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SandboxChips</name>
    <message numerus="yes">
        <source>%n active fault(s)</source>
        <translation>
            <numerusform>%n active fault</numerusform>
            <numerusform>%n active faults</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n wait(s) for you</source>
        <translation>
            <numerusform>%n waits for you</numerusform>
            <numerusform>%n wait for you</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ScenarioListModel</name>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SourceList</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SourceProblems</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StepFacts</name>
    <message numerus="yes">
        <source>%n more step(s)</source>
        <translation>
            <numerusform>%n more step</numerusform>
            <numerusform>%n more steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Texts</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message numerus="yes">
        <source>%n approved, held</source>
        <translation>
            <numerusform>%n approved, held</numerusform>
            <numerusform>%n approved, held</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TraceBlocks</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TraceFacts</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TracePages</name>
    <message numerus="yes">
        <source>%Ln character(s)</source>
        <translation>
            <numerusform>%Ln character</numerusform>
            <numerusform>%Ln characters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n marker(s) of the page</source>
        <translation>
            <numerusform>%n marker of the page</numerusform>
            <numerusform>%n markers of the page</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %Ln, in each later call</source>
        <translation>
            <numerusform>about %Ln, in each later call</numerusform>
            <numerusform>about %Ln, in each later call</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>cut after %Ln character(s)</source>
        <translation>
            <numerusform>cut after %Ln character</numerusform>
            <numerusform>cut after %Ln characters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TraceReasons</name>
    <message numerus="yes">
        <source>%n decision(s) wait for you</source>
        <translation>
            <numerusform>%n decision waits for you</numerusform>
            <numerusform>%n decisions wait for you</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No plan after %n attempt(s)</source>
        <translation>
            <numerusform>No plan after %n attempt</numerusform>
            <numerusform>No plan after %n attempts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of %n address(es): {counts}.</source>
        <translation>
            <numerusform>Of %n address: {counts}.</numerusform>
            <numerusform>Of %n addresses: {counts}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The model's service asks for a wait of %n s</source>
        <translation>
            <numerusform>The model's service asks for a wait of %n s</numerusform>
            <numerusform>The model's service asks for a wait of %n s</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TraceSteps</name>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation>
            <numerusform>%n block</numerusform>
            <numerusform>%n blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>%n found</numerusform>
            <numerusform>%n found</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not read</source>
        <translation>
            <numerusform>%n not read</numerusform>
            <numerusform>%n not read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n page(s) in</source>
        <translation>
            <numerusform>%n page in</numerusform>
            <numerusform>%n pages in</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n refused</source>
        <translation>
            <numerusform>%n refused</numerusform>
            <numerusform>%n refused</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n timed out</source>
        <translation>
            <numerusform>%n timed out</numerusform>
            <numerusform>%n timed out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{done} of %n sent</source>
        <translation>
            <numerusform>{done} of %n sent</numerusform>
            <numerusform>{done} of %n sent</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{held} of %n message(s)</source>
        <translation>
            <numerusform>{held} of %n message</numerusform>
            <numerusform>{held} of %n messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{sections} sections, %n turn(s)</source>
        <translation>
            <numerusform>{sections} sections, %n turn</numerusform>
            <numerusform>{sections} sections, %n turns</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TraceUsage</name>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n call</numerusform>
            <numerusform>%n calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n without a price</source>
        <translation>
            <numerusform>%n without a price</numerusform>
            <numerusform>%n without a price</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Traces</name>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n call</numerusform>
            <numerusform>%n calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n kept for good</source>
        <translation>
            <numerusform>%n kept for good</numerusform>
            <numerusform>%n kept for good</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n page(s)</source>
        <translation>
            <numerusform>%n page</numerusform>
            <numerusform>%n pages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n trace(s) stored</source>
        <translation>
            <numerusform>%n trace stored</numerusform>
            <numerusform>%n traces stored</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stored for %n day(s)</source>
        <translation>
            <numerusform>Stored for %n day</numerusform>
            <numerusform>Stored for %n days</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrayIcon</name>
    <message numerus="yes">
        <source>%n messages wait</source>
        <translation>
            <numerusform>%n messages wait</numerusform>
            <numerusform>%n messages wait</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TriagePage</name>
    <message numerus="yes">
        <source>%n description(s) accepted.</source>
        <translation>
            <numerusform>%n description accepted.</numerusform>
            <numerusform>%n descriptions accepted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) still need a look.</source>
        <translation>
            <numerusform>%n file still needs a look.</numerusform>
            <numerusform>%n files still need a look.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>VariantsRow</name>
    <message numerus="yes">
        <source>%n word(s) longer</source>
        <translation>
            <numerusform>%n word longer</numerusform>
            <numerusform>%n words longer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n word(s) shorter</source>
        <translation>
            <numerusform>%n word shorter</numerusform>
            <numerusform>%n words shorter</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WhatIfMode</name>
    <message numerus="yes">
        <source>%n line(s) changed</source>
        <translation>
            <numerusform>%n line changed</numerusform>
            <numerusform>%n lines changed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Why</name>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n newer message(s)</source>
        <translation>
            <numerusform>%n newer message</numerusform>
            <numerusform>%n newer messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{time} in %n calls</source>
        <translation>
            <numerusform>{time} in %n calls</numerusform>
            <numerusform>{time} in %n calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{time}, %n without a reply</source>
        <translation>
            <numerusform>{time}, %n without a reply</numerusform>
            <numerusform>{time}, %n without a reply</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_AccountPart</name>
    <message numerus="yes">
        <source>Send %n selected</source>
        <translation>
            <numerusform>Send %n selected</numerusform>
            <numerusform>Send %n selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Send %n selected of {agent}</source>
        <translation>
            <numerusform>Send %n selected of {agent}</numerusform>
            <numerusform>Send %n selected of {agent}</numerusform>
        </translation>
    </message>
</context>
</TS>
