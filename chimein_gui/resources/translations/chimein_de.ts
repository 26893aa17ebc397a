<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de">
<context>
    <name>AccountCommands</name>
    <message>
        <source>It opens in its own window. This one stays open.</source>
        <translation>Sie öffnet sich in einem eigenen Fenster; dieses bleibt offen.</translation>
    </message>
    <message>
        <source>Start it yourself: chimein sandbox</source>
        <translation>Von Hand starten: chimein sandbox</translation>
    </message>
    <message>
        <source>The sandbox could not be started</source>
        <translation>Die Sandbox konnte nicht gestartet werden</translation>
    </message>
    <message>
        <source>The sandbox is starting</source>
        <translation>Die Sandbox startet</translation>
    </message>
</context>
<context>
    <name>AccountLine</name>
    <message>
        <source>Log in again</source>
        <translation>Erneut anmelden</translation>
    </message>
    <message>
        <source>Preview prompt</source>
        <translation>Prompt-Vorschau</translation>
    </message>
    <message>
        <source>The agent has no chat yet: write to it first</source>
        <translation>Der Agent hat noch keinen Chat: Schreiben Sie ihm zuerst</translation>
    </message>
    <message>
        <source>The agent is not loaded: fix its file first</source>
        <translation>Der Agent ist nicht geladen: Beheben Sie zuerst die Fehler in seiner Datei</translation>
    </message>
    <message>
        <source>not loaded</source>
        <translation>nicht geladen</translation>
    </message>
</context>
<context>
    <name>Accounts</name>
    <message>
        <source>Closed by Telegram</source>
        <translation>Von Telegram geschlossen</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>Verbunden</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>Verbindet</translation>
    </message>
    <message>
        <source>Connection lost</source>
        <translation>Verbindung verloren</translation>
    </message>
    <message>
        <source>File has errors</source>
        <translation>Datei fehlerhaft</translation>
    </message>
    <message>
        <source>Frozen by Telegram</source>
        <translation>Von Telegram eingefroren</translation>
    </message>
    <message>
        <source>Last update from Telegram</source>
        <translation>Zuletzt von Telegram gehört</translation>
    </message>
    <message>
        <source>Logged out</source>
        <translation>Abgemeldet</translation>
    </message>
    <message>
        <source>Logged out from another device</source>
        <translation>Von einem anderen Gerät abgemeldet</translation>
    </message>
    <message>
        <source>Online</source>
        <translation>Online</translation>
    </message>
    <message>
        <source>Proxy problem</source>
        <translation>Proxy-Problem</translation>
    </message>
    <message>
        <source>Refused by the proxy</source>
        <translation>Vom Proxy abgewiesen</translation>
    </message>
    <message>
        <source>Session ended</source>
        <translation>Sitzung beendet</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>Telegram rate limit ended</source>
        <translation>Wartezeit von Telegram ist vorbei</translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>You logged out</source>
        <translation>Von Ihnen abgemeldet</translation>
    </message>
    <message>
        <source>blocking</source>
        <translation>Blockieren</translation>
    </message>
    <message>
        <source>checking what is muted</source>
        <translation>Prüfen der Stummschaltungen</translation>
    </message>
    <message>
        <source>checking whether it is frozen</source>
        <translation>Prüfen der Sperre</translation>
    </message>
    <message>
        <source>clearing chats</source>
        <translation>Leeren von Chats</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>deleting messages</source>
        <translation>Löschen von Nachrichten</translation>
    </message>
    <message>
        <source>editing messages</source>
        <translation>Bearbeiten von Nachrichten</translation>
    </message>
    <message>
        <source>fetching files</source>
        <translation>Laden von Dateien</translation>
    </message>
    <message>
        <source>listing chats</source>
        <translation>Auflisten der Chats</translation>
    </message>
    <message>
        <source>listing who is blocked</source>
        <translation>Auflisten der Blockierten</translation>
    </message>
    <message>
        <source>looking up stickers</source>
        <translation>Nachschlagen von Stickern</translation>
    </message>
    <message>
        <source>marking as read</source>
        <translation>Markieren als gelesen</translation>
    </message>
    <message>
        <source>reading history</source>
        <translation>Lesen des Verlaufs</translation>
    </message>
    <message>
        <source>sending stickers</source>
        <translation>Senden von Stickern</translation>
    </message>
    <message>
        <source>sending texts</source>
        <translation>Senden von Texten</translation>
    </message>
    <message>
        <source>showing typing</source>
        <translation>Anzeigen von „schreibt …“</translation>
    </message>
    <message>
        <source>unblocking</source>
        <translation>Aufheben der Blockierung</translation>
    </message>
</context>
<context>
    <name>ActionBar</name>
    <message>
        <source>Key {key}</source>
        <translation>Taste {key}</translation>
    </message>
    <message>
        <source>More: {who}</source>
        <translation>Mehr: {who}</translation>
    </message>
    <message>
        <source>{agent} to {who}</source>
        <translation>{agent} an {who}</translation>
    </message>
</context>
<context>
    <name>ActionButton</name>
    <message>
        <source>Key {key}</source>
        <translation>Taste {key}</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>About Chimein</source>
        <translation>Über Chimein</translation>
    </message>
    <message>
        <source>Close pane</source>
        <translation>Bereich schließen</translation>
    </message>
    <message>
        <source>Contrast: as the system</source>
        <translation>Kontrast: wie das System</translation>
    </message>
    <message>
        <source>Contrast: high</source>
        <translation>Kontrast: hoch</translation>
    </message>
    <message>
        <source>Contrast: usual</source>
        <translation>Kontrast: üblich</translation>
    </message>
    <message>
        <source>Export as character card…</source>
        <translation>Als Charakterkarte exportieren …</translation>
    </message>
    <message>
        <source>Float or dock pane</source>
        <translation>Bereich lösen oder andocken</translation>
    </message>
    <message>
        <source>Hold or release everything</source>
        <translation>Alles anhalten oder Anhalten aufheben</translation>
    </message>
    <message>
        <source>Import character card…</source>
        <translation>Charakterkarte importieren …</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>Größerer Text</translation>
    </message>
    <message>
        <source>Layout: Approvals</source>
        <translation>Anordnung: Freigaben</translation>
    </message>
    <message>
        <source>Layout: Everyday</source>
        <translation>Anordnung: Alltag</translation>
    </message>
    <message>
        <source>Maximize or restore pane</source>
        <translation>Bereich maximieren oder wiederherstellen</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>Menü</translation>
    </message>
    <message>
        <source>Motion: as the system</source>
        <translation>Bewegung: wie das System</translation>
    </message>
    <message>
        <source>Motion: off</source>
        <translation>Bewegung: aus</translation>
    </message>
    <message>
        <source>Motion: on</source>
        <translation>Bewegung: ein</translation>
    </message>
    <message>
        <source>Move pane to the bottom</source>
        <translation>Bereich nach unten</translation>
    </message>
    <message>
        <source>Move pane to the left</source>
        <translation>Bereich nach links</translation>
    </message>
    <message>
        <source>Move pane to the right</source>
        <translation>Bereich nach rechts</translation>
    </message>
    <message>
        <source>Next item that needs you</source>
        <translation>Zur nächsten Aufgabe</translation>
    </message>
    <message>
        <source>Next pane</source>
        <translation>Nächster Bereich</translation>
    </message>
    <message>
        <source>Open the log folder</source>
        <translation>Protokollordner öffnen</translation>
    </message>
    <message>
        <source>Play a scenario…</source>
        <translation>Szenario abspielen …</translation>
    </message>
    <message>
        <source>Previous pane</source>
        <translation>Voriger Bereich</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Reset layout</source>
        <translation>Anordnung zurücksetzen</translation>
    </message>
    <message>
        <source>Safety and privacy</source>
        <translation>Sicherheit und Datenschutz</translation>
    </message>
    <message>
        <source>Save diagnostics…</source>
        <translation>Diagnosedaten speichern …</translation>
    </message>
    <message>
        <source>Save this layout…</source>
        <translation>Anordnung speichern …</translation>
    </message>
    <message>
        <source>Search or type a command…</source>
        <translation>Suchen oder Befehl eingeben …</translation>
    </message>
    <message>
        <source>Set up a persona…</source>
        <translation>Persona einrichten …</translation>
    </message>
    <message>
        <source>Single-key shortcuts: off</source>
        <translation>Einzeltasten: aus</translation>
    </message>
    <message>
        <source>Single-key shortcuts: on</source>
        <translation>Einzeltasten: ein</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>Kleinerer Text</translation>
    </message>
    <message>
        <source>Start the sandbox</source>
        <translation>Sandbox starten</translation>
    </message>
    <message>
        <source>Switch light and dark</source>
        <translation>Zwischen hell und dunkel wechseln</translation>
    </message>
    <message>
        <source>Text size: {n} %</source>
        <translation>Textgröße: {n} %</translation>
    </message>
    <message>
        <source>Theme: Dark</source>
        <translation>Design: Dunkel</translation>
    </message>
    <message>
        <source>Theme: Light</source>
        <translation>Design: Hell</translation>
    </message>
    <message>
        <source>Theme: System</source>
        <translation>Design: System</translation>
    </message>
    <message>
        <source>Use another config folder…</source>
        <translation>Anderen Konfigurationsordner verwenden …</translation>
    </message>
    <message>
        <source>accounts personas</source>
        <translation>Konten Personas</translation>
    </message>
    <message>
        <source>animations reduced</source>
        <translation>Animationen reduziert</translation>
    </message>
    <message>
        <source>bug report support</source>
        <translation>Fehler Bericht Support</translation>
    </message>
    <message>
        <source>chats messages inbox</source>
        <translation>Chats Nachrichten Posteingang</translation>
    </message>
    <message>
        <source>drafts queue pending</source>
        <translation>Entwürfe Warteschlange offen</translation>
    </message>
    <message>
        <source>errors warnings messages of the program console diagnostics</source>
        <translation>Fehler Warnungen Meldungen des Programms Konsole Diagnose Log</translation>
    </message>
    <message>
        <source>exit close</source>
        <translation>schließen</translation>
    </message>
    <message>
        <source>font zoom letters bigger scale</source>
        <translation>Schrift Zoom größer Skalierung</translation>
    </message>
    <message>
        <source>font zoom letters bigger scale in</source>
        <translation>Schrift Zoom größer vergrößern</translation>
    </message>
    <message>
        <source>font zoom letters bigger scale out</source>
        <translation>Schrift Zoom kleiner verkleinern</translation>
    </message>
    <message>
        <source>hotkeys keyboard letters</source>
        <translation>Tastenkürzel Tastatur Buchstaben</translation>
    </message>
    <message>
        <source>log history audit rules export edit rate</source>
        <translation>Protokoll Verlauf Nachweis Regeln Export Änderungsquote</translation>
    </message>
    <message>
        <source>pause stop freeze</source>
        <translation>Pause Stopp einfrieren</translation>
    </message>
    <message>
        <source>persona tavern charx png json</source>
        <translation>persona tavern charx png json figur</translation>
    </message>
    <message>
        <source>scenarios faults simulation</source>
        <translation>Szenarien Störungen Simulation</translation>
    </message>
    <message>
        <source>settings options configuration keys limits</source>
        <translation>Einstellungen Optionen Konfiguration Schlüssel Grenzen</translation>
    </message>
    <message>
        <source>shortcuts hotkeys help</source>
        <translation>Tastenkürzel Tastatur Hilfe</translation>
    </message>
    <message>
        <source>terms risks telegram ban google secrets backup remove</source>
        <translation>Bedingungen Risiken Telegram Sperre Google Geheimnisse Sicherung entfernen</translation>
    </message>
    <message>
        <source>theme accessibility high contrast low vision</source>
        <translation>Farben Barrierefreiheit hoher Kontrast Sehschwäche</translation>
    </message>
    <message>
        <source>theme appearance mode</source>
        <translation>Design Thema Farbschema Erscheinungsbild Modus</translation>
    </message>
    <message>
        <source>theme appearance mode day</source>
        <translation>Design Thema Farbschema Erscheinungsbild Modus Tag</translation>
    </message>
    <message>
        <source>theme appearance mode night</source>
        <translation>Design Thema Farbschema Erscheinungsbild Modus Nacht</translation>
    </message>
    <message>
        <source>theme appearance mode night day</source>
        <translation>Design Thema Farbschema Erscheinungsbild Modus Nacht Tag</translation>
    </message>
    <message>
        <source>version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>waterfall plans retrieval why cost tokens</source>
        <translation>Wasserfall Pläne Abruf warum Kosten Tokens Spuren</translation>
    </message>
</context>
<context>
    <name>ActivePage</name>
    <message numerus="yes">
        <source>%n active fault(s)</source>
        <translation>
            <numerusform>%n aktive Störung</numerusform>
            <numerusform>%n aktive Störungen</numerusform>
        </translation>
    </message>
    <message>
        <source>If a message is sent twice</source>
        <translation>Wenn eine Nachricht doppelt gesendet wird</translation>
    </message>
    <message>
        <source>Log, newest first</source>
        <translation>Protokoll, neueste zuerst</translation>
    </message>
    <message>
        <source>No active faults</source>
        <translation>Keine aktiven Störungen</translation>
    </message>
    <message>
        <source>Remove all</source>
        <translation>Alle entfernen</translation>
    </message>
</context>
<context>
    <name>AgentActions</name>
    <message>
        <source>Clear the limit</source>
        <translation>Begrenzung aufheben</translation>
    </message>
    <message>
        <source>Clear the limit of {name}</source>
        <translation>Begrenzung von {name} aufheben</translation>
    </message>
    <message>
        <source>Confirm {level}</source>
        <translation>{level} bestätigen</translation>
    </message>
    <message>
        <source>Fix or restore the agent file first</source>
        <translation>Zuerst die Agentendatei korrigieren oder wiederherstellen</translation>
    </message>
    <message>
        <source>Hold</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Log in</source>
        <translation>Anmelden</translation>
    </message>
    <message>
        <source>Log out…</source>
        <translation>Abmelden …</translation>
    </message>
    <message>
        <source>Log {name} out</source>
        <translation>{name} abmelden</translation>
    </message>
    <message>
        <source>Open file</source>
        <translation>Datei öffnen</translation>
    </message>
    <message>
        <source>Open the file of {name}</source>
        <translation>Die Datei von {name} öffnen</translation>
    </message>
    <message>
        <source>Proxy of {name}</source>
        <translation>Proxy von {name}</translation>
    </message>
    <message>
        <source>Proxy…</source>
        <translation>Proxy …</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>Anhalten aufheben</translation>
    </message>
    <message>
        <source>Remove the heading “# Disabled” from its file first</source>
        <translation>Zuerst die Überschrift „# Disabled“ aus der Datei entfernen</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>{event}, {time}</source>
        <translation>{event}, {time}</translation>
    </message>
</context>
<context>
    <name>AgentActivities</name>
    <message>
        <source>Idle</source>
        <translation>Untätig</translation>
    </message>
    <message>
        <source>Last active {time}</source>
        <translation>Zuletzt aktiv {time}</translation>
    </message>
    <message>
        <source>Plans for {who}</source>
        <translation>Plant für {who}</translation>
    </message>
    <message numerus="yes">
        <source>Plans for {who} and %n more</source>
        <translation>
            <numerusform>Plant für {who} und %n weiteren</numerusform>
            <numerusform>Plant für {who} und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Sends to {who}</source>
        <translation>Sendet an {who}</translation>
    </message>
    <message>
        <source>Sends to {who} in {time}</source>
        <translation>Sendet an {who} in {time}</translation>
    </message>
    <message>
        <source>Telegram rate limit, {time}</source>
        <translation>Wartezeit von Telegram, {time}</translation>
    </message>
    <message>
        <source>Types to {who}</source>
        <translation>Schreibt an {who}</translation>
    </message>
</context>
<context>
    <name>AgentComposer</name>
    <message>
        <source>Attach photos or files</source>
        <translation>Fotos oder Dateien anhängen</translation>
    </message>
    <message>
        <source>Emoji and stickers</source>
        <translation>Emojis und Sticker</translation>
    </message>
    <message>
        <source>Files can't be added to a sent message</source>
        <translation>Einer gesendeten Nachricht lassen sich keine Dateien hinzufügen</translation>
    </message>
    <message>
        <source>Nothing typed yet</source>
        <translation>Noch nichts eingegeben</translation>
    </message>
    <message>
        <source>Press again</source>
        <translation>Noch einmal drücken</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Send as {who} to {to}</source>
        <translation>Als {who} an {to} senden</translation>
    </message>
    <message>
        <source>Sending your message…</source>
        <translation>Ihre Nachricht wird gesendet …</translation>
    </message>
    <message>
        <source>This account can't write here</source>
        <translation>Dieses Konto darf hier nicht schreiben</translation>
    </message>
    <message>
        <source>Write as {who}</source>
        <translation>Als {who} schreiben</translation>
    </message>
    <message>
        <source>Write as {who} to {to}</source>
        <translation>Als {who} an {to} schreiben</translation>
    </message>
    <message>
        <source>longer than one message</source>
        <translation>länger als eine Nachricht</translation>
    </message>
    <message numerus="yes">
        <source>the pasted text was %Ln character(s) too long and was cut</source>
        <translation>
            <numerusform>der eingefügte Text war %Ln Zeichen zu lang und wurde gekürzt</numerusform>
            <numerusform>der eingefügte Text war %Ln Zeichen zu lang und wurde gekürzt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>will be sent as %n message(s)</source>
        <translation>
            <numerusform>wird als %n Nachricht gesendet</numerusform>
            <numerusform>wird als %n Nachrichten gesendet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{agent} then waits %n min here</source>
        <translation>
            <numerusform>{agent} wartet hier dann %n min</numerusform>
            <numerusform>{agent} wartet hier dann %n min</numerusform>
        </translation>
    </message>
    <message>
        <source>{agent} waits here until {time}</source>
        <translation>{agent} wartet hier bis {time}</translation>
    </message>
    <message>
        <source>{n} of {most}</source>
        <translation>{n} von {most}</translation>
    </message>
</context>
<context>
    <name>AgentFacts</name>
    <message numerus="yes">
        <source>%n message(s) sent</source>
        <translation>
            <numerusform>%n Nachricht gesendet</numerusform>
            <numerusform>%n Nachrichten gesendet</numerusform>
        </translation>
    </message>
    <message>
        <source>No quiet hours</source>
        <translation>Keine Ruhezeiten</translation>
    </message>
    <message numerus="yes">
        <source>Quiet hours in %n chat(s)</source>
        <translation>
            <numerusform>Ruhezeiten in %n Chat</numerusform>
            <numerusform>Ruhezeiten in %n Chats</numerusform>
        </translation>
    </message>
    <message>
        <source>Today: {sent} · {cost}</source>
        <translation>Heute: {sent} · {cost}</translation>
    </message>
    <message>
        <source>Today: …</source>
        <translation>Heute: …</translation>
    </message>
    <message>
        <source>cap nearly reached</source>
        <translation>Grenze fast erreicht</translation>
    </message>
    <message>
        <source>cap reached</source>
        <translation>Grenze erreicht</translation>
    </message>
    <message>
        <source>no proxy</source>
        <translation>kein Proxy</translation>
    </message>
    <message>
        <source>{cost} and calls without a price</source>
        <translation>{cost} und Aufrufe ohne Preis</translation>
    </message>
    <message>
        <source>{model} · {level} by default</source>
        <translation>{model} · Standard: {level}</translation>
    </message>
    <message>
        <source>{quiet} · {proxy}</source>
        <translation>{quiet} · {proxy}</translation>
    </message>
</context>
<context>
    <name>AgentForm</name>
    <message>
        <source>Add a role prompt</source>
        <translation>Rollen-Prompt hinzufügen</translation>
    </message>
    <message>
        <source>Add a set: its short name, then Enter</source>
        <translation>Set hinzufügen: Kurzname, dann Eingabe</translation>
    </message>
    <message>
        <source>Add a sticker: SET :: STICKER, then Enter</source>
        <translation>Sticker hinzufügen: SET :: STICKER, dann Eingabe</translation>
    </message>
    <message>
        <source>Aliases</source>
        <translation>Rufnamen</translation>
    </message>
    <message>
        <source>All prompts are in use</source>
        <translation>Alle Prompts werden verwendet</translation>
    </message>
    <message>
        <source>Allowed hosts</source>
        <translation>Erlaubte Hosts</translation>
    </message>
    <message>
        <source>Approval</source>
        <translation>Freigabe</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>Beides</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Denied hosts</source>
        <translation>Gesperrte Hosts</translation>
    </message>
    <message>
        <source>Edit in the Markdown</source>
        <translation>Im Markdown bearbeiten</translation>
    </message>
    <message>
        <source>For new chats. First contacts, blocks and deletions always ask.</source>
        <translation>Für neue Chats. Erstkontakte, Blockieren und Löschen fragen immer.</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>Formular</translation>
    </message>
    <message>
        <source>Global</source>
        <translation>Gemeinsam</translation>
    </message>
    <message>
        <source>In words</source>
        <translation>In Worten</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>It also names the agent's folders; they follow when you save.</source>
        <translation>So heißen auch die Ordner des Agenten; beim Speichern ziehen sie mit.</translation>
    </message>
    <message>
        <source>Memory scope</source>
        <translation>Gedächtnis</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Per partner</source>
        <translation>Je Partner</translation>
    </message>
    <message>
        <source>Phone</source>
        <translation>Telefon</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Retrieve looks up only these hosts and their subdomains. Empty: all public hosts.</source>
        <translation>Retrieve schlägt nur diese Hosts und ihre Subdomains nach. Leer: alle öffentlichen Hosts.</translation>
    </message>
    <message>
        <source>Role prompts</source>
        <translation>Rollen-Prompts</translation>
    </message>
    <message>
        <source>Single stickers</source>
        <translation>Einzelne Sticker</translation>
    </message>
    <message>
        <source>Sticker sets</source>
        <translation>Sticker-Sets</translation>
    </message>
    <message>
        <source>Themselves</source>
        <translation>Sie selbst</translation>
    </message>
    <message>
        <source>These hosts and their subdomains are never looked up. Empty: none is denied.</source>
        <translation>Diese Hosts und ihre Subdomains werden nie nachgeschlagen. Leer: keiner ist ausgeschlossen.</translation>
    </message>
    <message>
        <source>This can't stand below “# {field}”: it would begin another field, or a code block.</source>
        <translation>Das kann nicht unter „# {field}“ stehen: Es würde ein anderes Feld oder einen Codeblock beginnen.</translation>
    </message>
    <message>
        <source>Time zone</source>
        <translation>Zeitzone</translation>
    </message>
    <message>
        <source>What the model gets for a picture: its description, the picture itself, or both.</source>
        <translation>Was das Modell für ein Bild bekommt: seine Beschreibung, das Bild selbst oder beides.</translation>
    </message>
    <message>
        <source>chime-in everywhere</source>
        <translation>Chime-in überall</translation>
    </message>
    <message>
        <source>chime-in in groups, 50 in DMs</source>
        <translation>Chime-in in Gruppen, 50 in Direktchats</translation>
    </message>
    <message>
        <source>chime-in in groups, 500 in DMs</source>
        <translation>Chime-in in Gruppen, 500 in Direktchats</translation>
    </message>
    <message>
        <source>international, with +</source>
        <translation>international, mit +</translation>
    </message>
    <message>
        <source>of this computer</source>
        <translation>die dieses Computers</translation>
    </message>
    <message>
        <source>the last 100 messages everywhere</source>
        <translation>überall die letzten 100 Nachrichten</translation>
    </message>
</context>
<context>
    <name>AgentListModel</name>
    <message>
        <source>rate limit: {what}</source>
        <translation>Wartezeit: {what}</translation>
    </message>
</context>
<context>
    <name>AgentMenu</name>
    <message>
        <source>Copy the name</source>
        <translation>Name kopieren</translation>
    </message>
    <message>
        <source>Edit its file</source>
        <translation>Datei bearbeiten</translation>
    </message>
    <message>
        <source>Export as character card…</source>
        <translation>Als Charakterkarte exportieren …</translation>
    </message>
    <message>
        <source>Open the folder of its file</source>
        <translation>Ordner der Datei öffnen</translation>
    </message>
</context>
<context>
    <name>Agents</name>
    <message numerus="yes">
        <source>And %n more</source>
        <translation>
            <numerusform>Und %n weiteres</numerusform>
            <numerusform>Und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Disabled in its file: remove the heading “# Disabled” to start it</source>
        <translation>In der Datei deaktiviert: zum Starten die Überschrift „# Disabled“ entfernen</translation>
    </message>
    <message>
        <source>Held since {time}</source>
        <translation>Angehalten seit {time}</translation>
    </message>
    <message>
        <source>Its file asks for {level}; confirm it</source>
        <translation>Die Datei verlangt {level}; bitte bestätigen</translation>
    </message>
    <message>
        <source>Telegram rate limit, {what}: {time}</source>
        <translation>Wartezeit von Telegram, {what}: {time}</translation>
    </message>
    <message>
        <source>Through {proxy}</source>
        <translation>Über {proxy}</translation>
    </message>
</context>
<context>
    <name>AgentsPane</name>
    <message>
        <source>Agents</source>
        <translation>Agenten</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Startet …</translation>
    </message>
    <message>
        <source>{up} of {all} connected</source>
        <translation>{up} von {all} verbunden</translation>
    </message>
</context>
<context>
    <name>ApplicationForm</name>
    <message>
        <source>32 characters, 0–9 and a–f</source>
        <translation>32 Zeichen, 0–9 und a–f</translation>
    </message>
    <message>
        <source>API ID</source>
        <translation>API-ID</translation>
    </message>
    <message>
        <source>API hash</source>
        <translation>API-Hash</translation>
    </message>
    <message>
        <source>How do I get them?</source>
        <translation>Woher bekomme ich sie?</translation>
    </message>
    <message>
        <source>Log in at my.telegram.org, open “API development tools” and create an application; any title will do.</source>
        <translation>Bei my.telegram.org anmelden, „API development tools“ öffnen und eine Anwendung anlegen; der Titel ist beliebig.</translation>
    </message>
    <message>
        <source>Opens {page} in the browser</source>
        <translation>Öffnet {page} im Browser</translation>
    </message>
    <message>
        <source>digits</source>
        <translation>Ziffern</translation>
    </message>
</context>
<context>
    <name>ApplicationPage</name>
    <message>
        <source>32 characters, 0 to 9 and a to f</source>
        <translation>32 Zeichen, 0 bis 9 und a bis f</translation>
    </message>
    <message>
        <source>API ID</source>
        <translation>API-ID</translation>
    </message>
    <message>
        <source>API hash</source>
        <translation>API-Hash</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Create an application on my.telegram.org under “API development tools”. One is enough for all your agents.</source>
        <translation>Auf my.telegram.org unter „API development tools“ eine Anwendung anlegen; eine genügt für alle Agenten.</translation>
    </message>
    <message>
        <source>Enter the API ID and the API hash</source>
        <translation>API-ID und API-Hash eingeben</translation>
    </message>
    <message>
        <source>Open my.telegram.org</source>
        <translation>my.telegram.org öffnen</translation>
    </message>
</context>
<context>
    <name>ApplyDialog</name>
    <message>
        <source>Apply to file</source>
        <translation>In die Datei übernehmen</translation>
    </message>
    <message>
        <source>Changes of the file</source>
        <translation>Änderungen der Datei</translation>
    </message>
    <message>
        <source>The file changed meanwhile, so nothing was written. This is your change of the new one.</source>
        <translation>Die Datei hat sich inzwischen geändert, deshalb wurde nichts geschrieben. Dies ist Ihre Änderung an der neuen Datei.</translation>
    </message>
    <message>
        <source>Write the file</source>
        <translation>Datei schreiben</translation>
    </message>
    <message>
        <source>added: {words}</source>
        <translation>hinzugefügt: {words}</translation>
    </message>
    <message>
        <source>nothing changed</source>
        <translation>nichts geändert</translation>
    </message>
    <message>
        <source>removed: {words}</source>
        <translation>entfernt: {words}</translation>
    </message>
    <message>
        <source>{path}: every other byte stays. The agent uses it from its next call on.</source>
        <translation>{path}: Jedes andere Byte bleibt. Der Agent verwendet es ab seinem nächsten Aufruf.</translation>
    </message>
</context>
<context>
    <name>ApprovalActions</name>
    <message>
        <source>Your edit was saved first. Approve again to send it.</source>
        <translation>Ihre Bearbeitung wurde zuerst gespeichert. Zum Senden noch einmal freigeben.</translation>
    </message>
</context>
<context>
    <name>ApprovalStore</name>
    <message>
        <source>{agent} to {who}</source>
        <translation>{agent} an {who}</translation>
    </message>
</context>
<context>
    <name>Approvals</name>
    <message>
        <source>Allows only this message</source>
        <translation>Erlaubt nur diese Nachricht</translation>
    </message>
    <message>
        <source>Always asks, whatever the trust level</source>
        <translation>Fragt immer, auf jeder Vertrauensstufe</translation>
    </message>
    <message>
        <source>Another version is shown. Use it, or go back to the draft</source>
        <translation>Eine andere Version wird angezeigt: diese verwenden oder zum Entwurf zurückkehren</translation>
    </message>
    <message>
        <source>Approve</source>
        <translation>Freigeben</translation>
    </message>
    <message>
        <source>Approve version {n}</source>
        <translation>Version {n} freigeben</translation>
    </message>
    <message>
        <source>Approved {time}, sends automatically</source>
        <translation>Freigegeben {time}, wird automatisch gesendet</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>Erneut fragen</translation>
    </message>
    <message>
        <source>Cancel the send</source>
        <translation>Senden abbrechen</translation>
    </message>
    <message>
        <source>Check Telegram first. It may have arrived</source>
        <translation>Zuerst in Telegram nachsehen: Sie ist vielleicht angekommen</translation>
    </message>
    <message>
        <source>Checking Telegram. Nothing is sent twice</source>
        <translation>Wird bei Telegram geprüft; nichts wird doppelt gesendet</translation>
    </message>
    <message>
        <source>Confirm the changes above to approve</source>
        <translation>Zum Freigeben die Änderungen oben bestätigen</translation>
    </message>
    <message>
        <source>Confirm the changes first</source>
        <translation>Zuerst die Änderungen bestätigen</translation>
    </message>
    <message>
        <source>Delete for everyone…</source>
        <translation>Für alle löschen …</translation>
    </message>
    <message>
        <source>Deleted</source>
        <translation>Gelöscht</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Edit here</source>
        <translation>Hier bearbeiten</translation>
    </message>
    <message>
        <source>Edit saved</source>
        <translation>Bearbeitung gespeichert</translation>
    </message>
    <message>
        <source>Edited</source>
        <translation>Bearbeitet</translation>
    </message>
    <message>
        <source>Go there</source>
        <translation>Dorthin</translation>
    </message>
    <message>
        <source>Held until you release it</source>
        <translation>Angehalten, bis Sie es aufheben</translation>
    </message>
    <message>
        <source>Hold</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>I've read the changes</source>
        <translation>Änderungen gelesen</translation>
    </message>
    <message>
        <source>It was not fully in view</source>
        <translation>Es war nicht ganz zu sehen</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>Loading the changes…</source>
        <translation>Änderungen werden geladen …</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>Plan again</source>
        <translation>Neu planen</translation>
    </message>
    <message>
        <source>Press A again</source>
        <translation>A noch einmal drücken</translation>
    </message>
    <message>
        <source>Press again to send</source>
        <translation>Zum Senden noch einmal drücken</translation>
    </message>
    <message>
        <source>Press again: {action}</source>
        <translation>Noch einmal drücken: {action}</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Neu erzeugen</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Reviewed when the hold is released</source>
        <translation>Wird nach dem Aufheben geprüft</translation>
    </message>
    <message>
        <source>Saving your decision…</source>
        <translation>Ihre Entscheidung wird gespeichert …</translation>
    </message>
    <message>
        <source>Send again</source>
        <translation>Erneut senden</translation>
    </message>
    <message>
        <source>Send now</source>
        <translation>Jetzt senden</translation>
    </message>
    <message>
        <source>Sends automatically</source>
        <translation>Wird automatisch gesendet</translation>
    </message>
    <message>
        <source>Show in chat</source>
        <translation>Im Chat zeigen</translation>
    </message>
    <message>
        <source>Stop asking</source>
        <translation>Nicht mehr fragen</translation>
    </message>
    <message>
        <source>The message</source>
        <translation>Die Nachricht</translation>
    </message>
    <message>
        <source>This sticker will be sent</source>
        <translation>Dieser Sticker wird gesendet</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>Was es bewirkt</translation>
    </message>
    <message>
        <source>Whole plan</source>
        <translation>Ganzer Plan</translation>
    </message>
    <message>
        <source>Will be sent</source>
        <translation>Wird gesendet</translation>
    </message>
    <message>
        <source>Would be sent</source>
        <translation>Würde gesendet</translation>
    </message>
    <message>
        <source>You can still use the draft</source>
        <translation>Der Entwurf bleibt verwendbar</translation>
    </message>
    <message>
        <source>Your text</source>
        <translation>Ihr Text</translation>
    </message>
    <message>
        <source>by you</source>
        <translation>von Ihnen</translation>
    </message>
    <message>
        <source>by you, edited</source>
        <translation>von Ihnen, bearbeitet</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>photo</source>
        <translation>Foto</translation>
    </message>
    <message>
        <source>sticker</source>
        <translation>Sticker</translation>
    </message>
    <message>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>then {n} more</source>
        <translation>dann {n} weitere</translation>
    </message>
    <message>
        <source>then {steps}</source>
        <translation>dann {steps}</translation>
    </message>
    <message>
        <source>{n} more above</source>
        <translation>{n} weitere darüber</translation>
    </message>
    <message>
        <source>{n} newer</source>
        <translation>{n} neuer</translation>
    </message>
</context>
<context>
    <name>ApprovalsPane</name>
    <message>
        <source>All caught up</source>
        <translation>Alles erledigt</translation>
    </message>
    <message>
        <source>Approve</source>
        <translation>Freigeben</translation>
    </message>
    <message>
        <source>Approve the edited text</source>
        <translation>Bearbeiteten Text freigeben</translation>
    </message>
    <message>
        <source>Approve this text</source>
        <translation>Diesen Text freigeben</translation>
    </message>
    <message>
        <source>Back, or clear the selection</source>
        <translation>Zurück, oder Auswahl aufheben</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Confirm that you've read the changes</source>
        <translation>Bestätigen, dass Sie die Änderungen gelesen haben</translation>
    </message>
    <message>
        <source>Delete for everyone</source>
        <translation>Für alle löschen</translation>
    </message>
    <message>
        <source>Delete this message for you and for {who}?</source>
        <translation>Diese Nachricht für Sie und für {who} löschen?</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Edit the text</source>
        <translation>Text bearbeiten</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Keys in Approvals</source>
        <translation>Tasten in den Freigaben</translation>
    </message>
    <message>
        <source>Look at the versions of a plan</source>
        <translation>Versionen eines Plans ansehen</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Bewegen</translation>
    </message>
    <message>
        <source>Move to the next or the previous card</source>
        <translation>Zur nächsten oder vorigen Karte</translation>
    </message>
    <message>
        <source>Open Costs</source>
        <translation>Kosten öffnen</translation>
    </message>
    <message>
        <source>Planned messages appear here before they are sent.</source>
        <translation>Geplante Nachrichten erscheinen hier, bevor sie gesendet werden.</translation>
    </message>
    <message>
        <source>Play a scenario</source>
        <translation>Szenario abspielen</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Neu erzeugen</translation>
    </message>
    <message>
        <source>Regenerate; G again: without an instruction</source>
        <translation>Neu erzeugen; noch einmal G: ohne Anweisung</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>Reject; R again: without a reason</source>
        <translation>Ablehnen; noch einmal R: ohne Begründung</translation>
    </message>
    <message>
        <source>Select</source>
        <translation>Auswählen</translation>
    </message>
    <message>
        <source>Select the next or the previous card, too</source>
        <translation>Nächste oder vorige Karte mit auswählen</translation>
    </message>
    <message>
        <source>Select, to decide on several at once</source>
        <translation>Auswählen, um über mehrere zugleich zu entscheiden</translation>
    </message>
    <message>
        <source>Show the versions side by side; 1 to 3 use one</source>
        <translation>Die Versionen nebeneinander zeigen; 1 bis 3 übernimmt eine</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Startet …</translation>
    </message>
    <message>
        <source>This list</source>
        <translation>Diese Liste</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Undo the last decision, if it was not sent yet</source>
        <translation>Letzte Entscheidung rückgängig machen, wenn noch nicht gesendet</translation>
    </message>
    <message>
        <source>{n} waiting</source>
        <translation>{n} offen</translation>
    </message>
    <message>
        <source>{who} may have seen it already. All parts are deleted.</source>
        <translation>{who} hat sie vielleicht schon gesehen. Alle Teile werden gelöscht.</translation>
    </message>
</context>
<context>
    <name>ApprovalsPaused</name>
    <message numerus="yes">
        <source>%n chat(s) are paused</source>
        <translation>
            <numerusform>%n Chat ist angehalten</numerusform>
            <numerusform>%n Chats sind angehalten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) wait unanswered. You decide how to continue.</source>
        <translation>
            <numerusform>%n Chat wartet unbeantwortet. Sie entscheiden, wie es weitergeht.</numerusform>
            <numerusform>%n Chats warten unbeantwortet. Sie entscheiden, wie es weitergeht.</numerusform>
        </translation>
    </message>
    <message>
        <source>A daily cap is reached.</source>
        <translation>Eine Tagesgrenze ist erreicht.</translation>
    </message>
    <message>
        <source>A model has no price, so no cap can limit its cost.</source>
        <translation>Ein Modell hat keinen Preis, deshalb kann keine Grenze seine Kosten begrenzen.</translation>
    </message>
    <message>
        <source>Planning is paused</source>
        <translation>Das Planen ist angehalten</translation>
    </message>
</context>
<context>
    <name>ArrivalsLine</name>
    <message numerus="yes">
        <source>Show %n new card(s)</source>
        <translation>
            <numerusform>%n neue Karte zeigen</numerusform>
            <numerusform>%n neue Karten zeigen</numerusform>
        </translation>
    </message>
    <message>
        <source>{n} new</source>
        <translation>{n} neu</translation>
    </message>
</context>
<context>
    <name>AskNameDialog</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Enter a name</source>
        <translation>Namen eingeben</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
</context>
<context>
    <name>AskStep</name>
    <message>
        <source>Change</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Change wait</source>
        <translation>Pause ändern</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Insert message</source>
        <translation>Nachricht einfügen</translation>
    </message>
    <message>
        <source>Insert wait</source>
        <translation>Pause einfügen</translation>
    </message>
    <message>
        <source>It is decided upon like every other message of the plan. Ctrl+Enter inserts it.</source>
        <translation>Über sie wird entschieden wie über jede andere Nachricht des Plans. Strg+Enter fügt sie ein.</translation>
    </message>
    <message>
        <source>Nothing typed yet</source>
        <translation>Noch nichts eingegeben</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>Sekunden</translation>
    </message>
    <message>
        <source>Text of the message</source>
        <translation>Text der Nachricht</translation>
    </message>
    <message>
        <source>The steps behind it continue when it is over. It may last up to 24 hours.</source>
        <translation>Die Schritte danach folgen, sobald sie vorbei ist. Sie darf bis zu 24 Stunden dauern.</translation>
    </message>
</context>
<context>
    <name>Attachments</name>
    <message>
        <source>Do not send {name}</source>
        <translation>{name} nicht senden</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Photo</source>
        <translation>Foto</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Send as file</source>
        <translation>Als Datei senden</translation>
    </message>
    <message>
        <source>Send as photo</source>
        <translation>Als Foto senden</translation>
    </message>
    <message>
        <source>The files could not be read</source>
        <translation>Die Dateien konnten nicht gelesen werden</translation>
    </message>
    <message numerus="yes">
        <source>at most %n file(s) at once</source>
        <translation>
            <numerusform>höchstens %n Datei auf einmal</numerusform>
            <numerusform>höchstens %n Dateien auf einmal</numerusform>
        </translation>
    </message>
    <message>
        <source>{name} cannot be read</source>
        <translation>{name} kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>{name} is a folder, not a file</source>
        <translation>{name} ist ein Ordner, keine Datei</translation>
    </message>
    <message>
        <source>{name} is empty</source>
        <translation>{name} ist leer</translation>
    </message>
    <message>
        <source>{name} is larger than 2 GB</source>
        <translation>{name} ist größer als 2 GB</translation>
    </message>
</context>
<context>
    <name>BacklogDialog</name>
    <message numerus="yes">
        <source>%n more above</source>
        <translation>
            <numerusform>%n weitere oberhalb</numerusform>
            <numerusform>%n weitere oberhalb</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more below</source>
        <translation>
            <numerusform>%n weitere unterhalb</numerusform>
            <numerusform>%n weitere unterhalb</numerusform>
        </translation>
    </message>
    <message>
        <source>Changed meanwhile</source>
        <translation>Inzwischen geändert</translation>
    </message>
    <message>
        <source>Keep all for later</source>
        <translation>Alle für später behalten</translation>
    </message>
    <message>
        <source>Nothing is selected</source>
        <translation>Nichts ausgewählt</translation>
    </message>
    <message>
        <source>Nothing was sent. Messages you approved while on hold are selected; the rest wait in Approvals.</source>
        <translation>Nichts wurde gesendet. Was Sie während des Anhaltens freigegeben haben, ist ausgewählt; der Rest wartet in den Freigaben.</translation>
    </message>
    <message numerus="yes">
        <source>Reject %n selected</source>
        <translation>
            <numerusform>%n ausgewählte ablehnen</numerusform>
            <numerusform>%n ausgewählte ablehnen</numerusform>
        </translation>
    </message>
    <message>
        <source>Review held messages</source>
        <translation>Angehaltene Nachrichten prüfen</translation>
    </message>
    <message>
        <source>Saving your decision…</source>
        <translation>Ihre Entscheidung wird gespeichert …</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>A new plan replaced this draft. Your edit is saved.</source>
        <translation>Ein neuer Plan hat diesen Entwurf ersetzt. Ihre Bearbeitung ist gespeichert.</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>The conversation moved on after this was planned.</source>
        <translation>Das Gespräch ging nach dem Planen weiter.</translation>
    </message>
    <message>
        <source>The draft changed while you typed. Your edit is saved.</source>
        <translation>Der Entwurf hat sich beim Schreiben geändert. Ihre Bearbeitung ist gespeichert.</translation>
    </message>
    <message>
        <source>This draft is gone and there is no new one yet. Your edit is saved here.</source>
        <translation>Dieser Entwurf ist weg, und es gibt noch keinen neuen. Ihre Bearbeitung ist hier gespeichert.</translation>
    </message>
    <message>
        <source>This draft was decided without your edit, which is saved here.</source>
        <translation>Über diesen Entwurf wurde ohne Ihre Bearbeitung entschieden; sie ist hier gespeichert.</translation>
    </message>
    <message>
        <source>Use my text on the new draft</source>
        <translation>Meinen Text auf den neuen Entwurf anwenden</translation>
    </message>
    <message>
        <source>{what} Press again to send anyway.</source>
        <translation>{what} Noch einmal drücken, um trotzdem zu senden.</translation>
    </message>
</context>
<context>
    <name>Bars</name>
    <message numerus="yes">
        <source>%n account(s) wait, next try in {time}.</source>
        <translation>
            <numerusform>%n Konto wartet, nächster Versuch in {time}.</numerusform>
            <numerusform>%n Konten warten, nächster Versuch in {time}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n account(s) wait.</source>
        <translation>
            <numerusform>%n Konto wartet.</numerusform>
            <numerusform>%n Konten warten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) are paused.</source>
        <translation>
            <numerusform>%n Chat ist angehalten.</numerusform>
            <numerusform>%n Chats sind angehalten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n planned message(s) were held and need review.</source>
        <translation>
            <numerusform>%n geplante Nachricht wurde angehalten und ist zu prüfen.</numerusform>
            <numerusform>%n geplante Nachrichten wurden angehalten und sind zu prüfen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Add {amount} for today</source>
        <translation>{amount} für heute dazugeben</translation>
    </message>
    <message>
        <source>Approved messages wait and keep their order.</source>
        <translation>Freigegebene Nachrichten warten und behalten ihre Reihenfolge.</translation>
    </message>
    <message>
        <source>Approved messages will wait.</source>
        <translation>Freigegebene Nachrichten warten.</translation>
    </message>
    <message>
        <source>Automatic sends now need your approval.</source>
        <translation>Automatisches Senden braucht jetzt Ihre Freigabe.</translation>
    </message>
    <message>
        <source>Chimein ended unexpectedly.</source>
        <translation>Chimein wurde unerwartet beendet.</translation>
    </message>
    <message>
        <source>Chimein recovered from an internal error.</source>
        <translation>Chimein hat sich von einem internen Fehler erholt.</translation>
    </message>
    <message>
        <source>Continue until midnight</source>
        <translation>Bis Mitternacht fortfahren</translation>
    </message>
    <message numerus="yes">
        <source>Couldn't plan a reply to {title} in %n attempt(s).</source>
        <translation>
            <numerusform>Keine Antwort an {title} geplant, nach %n Versuch.</numerusform>
            <numerusform>Keine Antwort an {title} geplant, nach %n Versuchen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Couldn't plan a reply to {title}.</source>
        <translation>Keine Antwort an {title} geplant.</translation>
    </message>
    <message numerus="yes">
        <source>Couldn't plan replies in %n chat(s).</source>
        <translation>
            <numerusform>Keine Antwort in %n Chat geplant.</numerusform>
            <numerusform>Keine Antworten in %n Chats geplant.</numerusform>
        </translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Line {n}: {why}</source>
        <translation>Zeile {n}: {why}</translation>
    </message>
    <message>
        <source>Logging in again won't help. Chats stay readable; a new number starts fresh.</source>
        <translation>Erneutes Anmelden hilft nicht. Chats bleiben lesbar; eine neue Nummer beginnt von vorn.</translation>
    </message>
    <message>
        <source>Messages and planned messages are saved.</source>
        <translation>Nachrichten und geplante Nachrichten sind gespeichert.</translation>
    </message>
    <message>
        <source>Messages are saved and wait for an answer.</source>
        <translation>Nachrichten sind gespeichert und warten auf eine Antwort.</translation>
    </message>
    <message>
        <source>Messages are saved.</source>
        <translation>Nachrichten sind gespeichert.</translation>
    </message>
    <message>
        <source>Messages still arrive, but nothing is sent and approved messages wait. To appeal, write to @SpamBot in Telegram. Sending resumes when Telegram allows it.</source>
        <translation>Nachrichten kommen an, aber nichts wird gesendet: Freigegebenes wartet. Einspruch ist in Telegram bei @SpamBot möglich. Sobald Telegram es erlaubt, wird automatisch weitergesendet.</translation>
    </message>
    <message>
        <source>More choices</source>
        <translation>Weitere Möglichkeiten</translation>
    </message>
    <message>
        <source>Nothing is lost. What was being sent is checked in Telegram before it is sent again.</source>
        <translation>Nichts ist verloren. Was gerade gesendet wurde, wird vor erneutem Senden in Telegram geprüft.</translation>
    </message>
    <message>
        <source>Nothing is sent until you review them.</source>
        <translation>Nichts wird gesendet, bevor Sie sie prüfen.</translation>
    </message>
    <message>
        <source>Open Agents</source>
        <translation>Agenten öffnen</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Open the chat</source>
        <translation>Chat öffnen</translation>
    </message>
    <message>
        <source>Plan now</source>
        <translation>Jetzt planen</translation>
    </message>
    <message numerus="yes">
        <source>Planning is paused, %n chat(s) wait.</source>
        <translation>
            <numerusform>Das Planen ist angehalten, %n Chat wartet.</numerusform>
            <numerusform>Das Planen ist angehalten, %n Chats warten.</numerusform>
        </translation>
    </message>
    <message>
        <source>Report: {path}</source>
        <translation>Bericht: {path}</translation>
    </message>
    <message>
        <source>Retrying automatically. Messages are saved.</source>
        <translation>Neuer Versuch folgt automatisch. Nachrichten sind gespeichert.</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Show report</source>
        <translation>Bericht zeigen</translation>
    </message>
    <message>
        <source>Telegram has closed the account of {name}.</source>
        <translation>Telegram hat das Konto von {name} geschlossen.</translation>
    </message>
    <message>
        <source>Telegram has frozen the account of {name}.</source>
        <translation>Telegram hat das Konto von {name} eingefroren.</translation>
    </message>
    <message>
        <source>Telegram limits {name}.</source>
        <translation>Telegram begrenzt {name}.</translation>
    </message>
    <message>
        <source>Written answers</source>
        <translation>Vorbereitete Antworten</translation>
    </message>
    <message>
        <source>{day} at {time}.</source>
        <translation>{day} um {time}.</translation>
    </message>
    <message>
        <source>{file} has an error. The previous version is in use.</source>
        <translation>{file} enthält einen Fehler; die vorige Version wird verwendet.</translation>
    </message>
    <message>
        <source>{file} was not loaded.</source>
        <translation>{file} wurde nicht geladen.</translation>
    </message>
    <message>
        <source>{name} is logged out.</source>
        <translation>{name} ist abgemeldet.</translation>
    </message>
    <message>
        <source>{name} waits, next try in {time}.</source>
        <translation>{name} wartet, nächster Versuch in {time}.</translation>
    </message>
    <message>
        <source>{name} waits.</source>
        <translation>{name} wartet.</translation>
    </message>
    <message>
        <source>{title} is paused.</source>
        <translation>{title} ist angehalten.</translation>
    </message>
    <message>
        <source>{why}. Approved messages wait and keep their order.</source>
        <translation>{why}. Freigegebene Nachrichten warten und behalten ihre Reihenfolge.</translation>
    </message>
</context>
<context>
    <name>Batch</name>
    <message numerus="yes">
        <source>%n changed: opens first</source>
        <translation>
            <numerusform>%n geändert: wird zuerst geöffnet</numerusform>
            <numerusform>%n geändert: werden zuerst geöffnet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not read: opens first</source>
        <translation>
            <numerusform>%n ungelesen: wird zuerst geöffnet</numerusform>
            <numerusform>%n ungelesen: werden zuerst geöffnet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n to decide one by one</source>
        <translation>
            <numerusform>%n einzeln zu entscheiden</numerusform>
            <numerusform>%n einzeln zu entscheiden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BatchBar</name>
    <message numerus="yes">
        <source>%n approved</source>
        <translation>
            <numerusform>%n freigegeben</numerusform>
            <numerusform>%n freigegeben</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n can't be undone any more</source>
        <translation>
            <numerusform>%n lässt sich nicht mehr zurücknehmen</numerusform>
            <numerusform>%n lassen sich nicht mehr zurücknehmen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changed meanwhile and wait</source>
        <translation>
            <numerusform>%n hat sich inzwischen geändert und wartet</numerusform>
            <numerusform>%n haben sich inzwischen geändert und warten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n postponed</source>
        <translation>
            <numerusform>%n verschoben</numerusform>
            <numerusform>%n verschoben</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rejected</source>
        <translation>
            <numerusform>%n abgelehnt</numerusform>
            <numerusform>%n abgelehnt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n ausgewählt</numerusform>
            <numerusform>%n ausgewählt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n undone</source>
        <translation>
            <numerusform>%n rückgängig gemacht</numerusform>
            <numerusform>%n rückgängig gemacht</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Approve %n</source>
        <translation>
            <numerusform>%n freigeben</numerusform>
            <numerusform>%n freigeben</numerusform>
        </translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Aufheben</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>None of these can be approved together</source>
        <translation>Keine davon lässt sich gemeinsam freigeben</translation>
    </message>
    <message>
        <source>None of these has been read yet</source>
        <translation>Noch keine davon gelesen</translation>
    </message>
    <message numerus="yes">
        <source>Reject %n</source>
        <translation>
            <numerusform>%n ablehnen</numerusform>
            <numerusform>%n ablehnen</numerusform>
        </translation>
    </message>
    <message>
        <source>Saving your decision…</source>
        <translation>Entscheidung wird gespeichert …</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>{done}, {stay}</source>
        <translation>{done}, {stay}</translation>
    </message>
</context>
<context>
    <name>BlockLegend</name>
    <message>
        <source>Telegram's wait</source>
        <translation>Wartezeit von Telegram</translation>
    </message>
    <message>
        <source>asks you</source>
        <translation>fragt Sie</translation>
    </message>
    <message>
        <source>only if you decide</source>
        <translation>nur mit Freigabe</translation>
    </message>
    <message>
        <source>sends automatically</source>
        <translation>sendet automatisch</translation>
    </message>
    <message>
        <source>typing</source>
        <translation>tippt</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>wartet</translation>
    </message>
</context>
<context>
    <name>BubbleContents</name>
    <message>
        <source>Deleted message</source>
        <translation>Gelöschte Nachricht</translation>
    </message>
    <message>
        <source>Earlier message</source>
        <translation>Frühere Nachricht</translation>
    </message>
    <message>
        <source>Forwarded</source>
        <translation>Weitergeleitet</translation>
    </message>
    <message>
        <source>Forwarded from {who}</source>
        <translation>Weitergeleitet von {who}</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>Someone</source>
        <translation>Jemand</translation>
    </message>
</context>
<context>
    <name>BubbleFiles</name>
    <message>
        <source>Loading…</source>
        <translation>Wird geladen …</translation>
    </message>
</context>
<context>
    <name>BubblePictures</name>
    <message>
        <source>Can't be shown</source>
        <translation>Nicht darstellbar</translation>
    </message>
    <message>
        <source>Hidden. Click to show</source>
        <translation>Verborgen. Zum Zeigen klicken</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Nicht verbunden</translation>
    </message>
    <message>
        <source>Too large to show</source>
        <translation>Zu groß für die Anzeige</translation>
    </message>
</context>
<context>
    <name>BudgetBox</name>
    <message numerus="yes">
        <source>%n wait(s), nothing is lost</source>
        <translation>
            <numerusform>%n wartet, nichts geht verloren</numerusform>
            <numerusform>%n warten, nichts geht verloren</numerusform>
        </translation>
    </message>
    <message>
        <source>AI budget</source>
        <translation>KI-Budget</translation>
    </message>
    <message>
        <source>Nothing waits</source>
        <translation>Nichts wartet</translation>
    </message>
    <message>
        <source>{left} of {count} left</source>
        <translation>noch {left} von {count}</translation>
    </message>
</context>
<context>
    <name>CacheLens</name>
    <message>
        <source>All bytes are those of {call}</source>
        <translation>Alle Bytes stimmen mit {call} überein</translation>
    </message>
    <message>
        <source>The first {n} % of the bytes are those of {call}</source>
        <translation>Die ersten {n} % der Bytes stimmen mit {call} überein</translation>
    </message>
    <message>
        <source>The first {n} % of the bytes, up to “{part}”, are those of {call}</source>
        <translation>Die ersten {n} % der Bytes, bis „{part}“, stimmen mit {call} überein</translation>
    </message>
    <message>
        <source>{n} of {total} tokens from the cache</source>
        <translation>{n} von {total} Token aus dem Zwischenspeicher</translation>
    </message>
    <message>
        <source>{usd} more than if all of it were</source>
        <translation>{usd} mehr als ganz aus dem Zwischenspeicher</translation>
    </message>
</context>
<context>
    <name>CallFaults</name>
    <message>
        <source>Change what is objected to, and ask once more.</source>
        <translation>Ändern Sie, was beanstandet wird, und fragen Sie noch einmal.</translation>
    </message>
    <message>
        <source>Check the connection to the internet, then ask once more.</source>
        <translation>Prüfen Sie die Verbindung zum Internet und fragen Sie dann noch einmal.</translation>
    </message>
    <message>
        <source>Check the connection to the internet. It is tried again, up to 10 times.</source>
        <translation>Prüfen Sie die Internetverbindung. Es wird erneut versucht, bis zu 10-mal.</translation>
    </message>
    <message>
        <source>Check the key in Preferences, then ask once more.</source>
        <translation>Prüfen Sie den Schlüssel in den Einstellungen und fragen Sie dann noch einmal.</translation>
    </message>
    <message>
        <source>Check the key in Preferences. The plan is made as soon as a key works.</source>
        <translation>Prüfen Sie den Schlüssel in den Einstellungen. Der Plan wird gemacht, sobald ein Schlüssel funktioniert.</translation>
    </message>
    <message>
        <source>Choose another model in Preferences, or in the agent's file.</source>
        <translation>Wählen Sie in den Einstellungen oder in der Datei des Agenten ein anderes Modell.</translation>
    </message>
    <message>
        <source>It is not retried automatically: ask once more.</source>
        <translation>Es wird nicht automatisch wiederholt: Fragen Sie noch einmal.</translation>
    </message>
    <message>
        <source>Nothing: it is tried again with the new key.</source>
        <translation>Nichts: Es wird mit dem neuen Schlüssel erneut versucht.</translation>
    </message>
    <message>
        <source>Nothing: it is tried again, up to 10 times.</source>
        <translation>Nichts: Es wird erneut versucht, bis zu 10-mal.</translation>
    </message>
    <message>
        <source>Read the prompt, change what is objected to, and ask once more.</source>
        <translation>Lesen Sie den Prompt, ändern Sie, was beanstandet wird, und fragen Sie noch einmal.</translation>
    </message>
    <message>
        <source>Read the prompt, change what is objected to, and plan again; or write the answer yourself.</source>
        <translation>Lesen Sie den Prompt, ändern Sie, was beanstandet wird, und lassen Sie neu planen; oder antworten Sie selbst.</translation>
    </message>
    <message>
        <source>Read the service's words and the prompt, then plan again or choose another model.</source>
        <translation>Lesen Sie die Worte des Dienstes und den Prompt, und lassen Sie dann neu planen oder wählen Sie ein anderes Modell.</translation>
    </message>
    <message>
        <source>Shorten the prompt: fewer messages, memories or pages. Then plan again.</source>
        <translation>Kürzen Sie den Prompt: weniger Nachrichten, Erinnerungen oder Seiten. Lassen Sie dann neu planen.</translation>
    </message>
    <message>
        <source>answer too long</source>
        <translation>Antwort zu lang</translation>
    </message>
    <message>
        <source>key changed</source>
        <translation>Schlüssel geändert</translation>
    </message>
    <message>
        <source>no network</source>
        <translation>kein Netz</translation>
    </message>
    <message>
        <source>no reply</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>no such model</source>
        <translation>kein solches Modell</translation>
    </message>
    <message>
        <source>no tokens left</source>
        <translation>keine Tokens übrig</translation>
    </message>
    <message>
        <source>overloaded</source>
        <translation>überlastet</translation>
    </message>
    <message>
        <source>prompt blocked</source>
        <translation>Prompt blockiert</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>rejected key</source>
        <translation>Schlüssel abgelehnt</translation>
    </message>
    <message>
        <source>reply blocked</source>
        <translation>Antwort blockiert</translation>
    </message>
    <message>
        <source>server error</source>
        <translation>Serverfehler</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>Zeit abgelaufen</translation>
    </message>
    <message>
        <source>too large</source>
        <translation>zu groß</translation>
    </message>
    <message>
        <source>too many requests</source>
        <translation>zu viele Anfragen</translation>
    </message>
    <message>
        <source>wrong model</source>
        <translation>falsches Modell</translation>
    </message>
</context>
<context>
    <name>CannotSendBand</name>
    <message>
        <source>No message is sent, nothing is remembered, no draft changes. Tokens are paid for: they count in today’s costs. The edit lives in this view until you close it.</source>
        <translation>Es wird keine Nachricht gesendet, nichts wird gemerkt, kein Entwurf ändert sich. Tokens kosten Geld: Sie zählen zu den heutigen Kosten. Die Änderung gilt nur in dieser Ansicht, bis Sie sie schließen.</translation>
    </message>
    <message>
        <source>What-if: cannot send</source>
        <translation>Was-wäre-wenn: kann nicht senden</translation>
    </message>
</context>
<context>
    <name>CapBar</name>
    <message>
        <source>Add {amount} for today</source>
        <translation>{amount} für heute dazugeben</translation>
    </message>
    <message>
        <source>Change the cap…</source>
        <translation>Grenze ändern …</translation>
    </message>
    <message>
        <source>Paused.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>Pauses at the cap.</source>
        <translation>Hält an der Grenze an.</translation>
    </message>
    <message>
        <source>{amounts} for everything today</source>
        <translation>{amounts} für alles heute</translation>
    </message>
    <message>
        <source>{amounts} for this chat today</source>
        <translation>{amounts} für diesen Chat heute</translation>
    </message>
    <message>
        <source>{amounts} for {agent} today</source>
        <translation>{amounts} für {agent} heute</translation>
    </message>
    <message>
        <source>{amounts} today</source>
        <translation>{amounts} heute</translation>
    </message>
</context>
<context>
    <name>CapEditor</name>
    <message>
        <source>Close without a change</source>
        <translation>Ohne Änderung schließen</translation>
    </message>
    <message>
        <source>Daily cap for everything</source>
        <translation>Tagesgrenze für alles</translation>
    </message>
    <message>
        <source>Daily cap for {name}</source>
        <translation>Tagesgrenze für {name}</translation>
    </message>
    <message>
        <source>No cap</source>
        <translation>Keine Grenze</translation>
    </message>
    <message>
        <source>Set the cap</source>
        <translation>Grenze setzen</translation>
    </message>
    <message>
        <source>{what}, in US dollars</source>
        <translation>{what}, in US-Dollar</translation>
    </message>
</context>
<context>
    <name>CapLine</name>
    <message>
        <source>daily cap {amount}, none today</source>
        <translation>Tagesgrenze {amount}, heute keine</translation>
    </message>
    <message>
        <source>daily cap {amount}, today {today}: pauses and asks</source>
        <translation>Tagesgrenze {amount}, heute {today}: hält an und fragt</translation>
    </message>
    <message>
        <source>daily cap {amount}: pauses and asks</source>
        <translation>Tagesgrenze {amount}: hält an und fragt</translation>
    </message>
</context>
<context>
    <name>CapQuestion</name>
    <message numerus="yes">
        <source>%n chat(s) wait unanswered.</source>
        <translation>
            <numerusform>%n Chat wartet unbeantwortet.</numerusform>
            <numerusform>%n Chats warten unbeantwortet.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more cap(s) are reached.</source>
        <translation>
            <numerusform>%n weitere Grenze ist erreicht.</numerusform>
            <numerusform>%n weitere Grenzen sind erreicht.</numerusform>
        </translation>
    </message>
    <message>
        <source>Add {amount} for today</source>
        <translation>{amount} für heute dazugeben</translation>
    </message>
    <message>
        <source>Continue once</source>
        <translation>Einmal fortfahren</translation>
    </message>
    <message>
        <source>Continue until midnight</source>
        <translation>Bis Mitternacht fortfahren</translation>
    </message>
    <message>
        <source>Keep paused</source>
        <translation>Angehalten lassen</translation>
    </message>
    <message>
        <source>Set its price…</source>
        <translation>Preis festlegen …</translation>
    </message>
</context>
<context>
    <name>CardActions</name>
    <message>
        <source>Approved for {who}</source>
        <translation>Freigegeben für {who}</translation>
    </message>
    <message>
        <source>Bring back now</source>
        <translation>Jetzt zurückholen</translation>
    </message>
    <message>
        <source>Deselect</source>
        <translation>Nicht mehr auswählen</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>New version for {who}</source>
        <translation>Neue Version für {who}</translation>
    </message>
    <message>
        <source>Open the whole card</source>
        <translation>Ganze Karte öffnen</translation>
    </message>
    <message>
        <source>Reject the whole plan…</source>
        <translation>Ganzen Plan ablehnen …</translation>
    </message>
    <message>
        <source>Rejected for {who}</source>
        <translation>Abgelehnt für {who}</translation>
    </message>
    <message>
        <source>Select</source>
        <translation>Auswählen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Show in chat</source>
        <translation>Im Chat zeigen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Waits for you again: {who}</source>
        <translation>Wartet wieder auf Sie: {who}</translation>
    </message>
    <message>
        <source>Whole plan</source>
        <translation>Ganzer Plan</translation>
    </message>
    <message>
        <source>{agent} to {who}</source>
        <translation>{agent} an {who}</translation>
    </message>
</context>
<context>
    <name>CardButtons</name>
    <message>
        <source>I've read the changes</source>
        <translation>Ich habe die Änderungen gelesen</translation>
    </message>
</context>
<context>
    <name>CardCommands</name>
    <message>
        <source>All files</source>
        <translation>Alle Dateien</translation>
    </message>
    <message>
        <source>Character card exported</source>
        <translation>Charakterkarte exportiert</translation>
    </message>
    <message>
        <source>Character cards</source>
        <translation>Charakterkarten</translation>
    </message>
    <message>
        <source>Character cards can be used once Chimein has started</source>
        <translation>Charakterkarten stehen zur Verfügung, sobald Chimein gestartet ist</translation>
    </message>
    <message>
        <source>Export as character card</source>
        <translation>Als Charakterkarte exportieren</translation>
    </message>
    <message>
        <source>Import character card</source>
        <translation>Charakterkarte importieren</translation>
    </message>
    <message>
        <source>Log it in to start. Everything waits for you.</source>
        <translation>Melden Sie ihn an. Alles wartet auf Ihre Freigabe.</translation>
    </message>
    <message>
        <source>Nothing was imported or exported.</source>
        <translation>Es wurde nichts importiert oder exportiert.</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>The agent was created</source>
        <translation>Der Agent wurde angelegt</translation>
    </message>
    <message>
        <source>There is no agent to export yet</source>
        <translation>Es gibt noch keinen Agenten zum Exportieren</translation>
    </message>
    <message>
        <source>Working on the character card…</source>
        <translation>Die Charakterkarte wird verarbeitet …</translation>
    </message>
</context>
<context>
    <name>CardDelegate</name>
    <message>
        <source>Approved for {who}</source>
        <translation>Freigegeben für {who}</translation>
    </message>
    <message>
        <source>Rejected for {who}</source>
        <translation>Für {who} abgelehnt</translation>
    </message>
    <message>
        <source>Sent to {who}</source>
        <translation>An {who} gesendet</translation>
    </message>
    <message>
        <source>Undo Z</source>
        <translation>Rückgängig Z</translation>
    </message>
</context>
<context>
    <name>CardHeader</name>
    <message>
        <source>Channel: all subscribers will see this</source>
        <translation>Kanal: alle Abonnenten lesen mit</translation>
    </message>
    <message>
        <source>Direct message</source>
        <translation>Direktnachricht</translation>
    </message>
    <message>
        <source>First message</source>
        <translation>Erste Nachricht</translation>
    </message>
    <message>
        <source>Group: all members will see this</source>
        <translation>Gruppe: alle Mitglieder lesen mit</translation>
    </message>
    <message>
        <source>Version {n}, planned {time}</source>
        <translation>Version {n}, geplant {time}</translation>
    </message>
    <message>
        <source>to</source>
        <translation>an</translation>
    </message>
    <message>
        <source>{agent} to {who}</source>
        <translation>{agent} an {who}</translation>
    </message>
</context>
<context>
    <name>CardList</name>
    <message>
        <source>Planned messages</source>
        <translation>Geplante Nachrichten</translation>
    </message>
</context>
<context>
    <name>CardQueue</name>
    <message>
        <source>trust {level}</source>
        <translation>Vertrauen {level}</translation>
    </message>
    <message>
        <source>waits for {age}</source>
        <translation>wartet seit {age}</translation>
    </message>
</context>
<context>
    <name>CardQueueModel</name>
    <message>
        <source>Selected, {card}</source>
        <translation>Ausgewählt, {card}</translation>
    </message>
</context>
<context>
    <name>CardView</name>
    <message>
        <source>Last messages</source>
        <translation>Letzte Nachrichten</translation>
    </message>
    <message>
        <source>Planned message, {who}</source>
        <translation>Geplante Nachricht, {who}</translation>
    </message>
    <message>
        <source>Planning again</source>
        <translation>Wird neu geplant</translation>
    </message>
    <message>
        <source>Show in chat</source>
        <translation>Im Chat zeigen</translation>
    </message>
    <message>
        <source>Show in the plan</source>
        <translation>Im Plan zeigen</translation>
    </message>
    <message>
        <source>The card</source>
        <translation>Die Karte</translation>
    </message>
    <message>
        <source>What follows</source>
        <translation>Was folgt</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Will be sent</source>
        <translation>Wird gesendet</translation>
    </message>
    <message>
        <source>Will be sent if you use this version</source>
        <translation>Wird gesendet, wenn Sie diese Version verwenden</translation>
    </message>
    <message>
        <source>You are editing</source>
        <translation>Sie bearbeiten gerade</translation>
    </message>
    <message>
        <source>{agent} to {who}</source>
        <translation>{agent} an {who}</translation>
    </message>
</context>
<context>
    <name>CardWords</name>
    <message>
        <source>Account frozen</source>
        <translation>Konto eingefroren</translation>
    </message>
    <message>
        <source>Account limited</source>
        <translation>Konto begrenzt</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Blockieren</translation>
    </message>
    <message>
        <source>Block {who}</source>
        <translation>{who} blockieren</translation>
    </message>
    <message>
        <source>Brought back by you</source>
        <translation>Von Ihnen zurückgeholt</translation>
    </message>
    <message>
        <source>Can't be sent as it is</source>
        <translation>So nicht sendbar</translation>
    </message>
    <message>
        <source>Can't be undone</source>
        <translation>Unwiderruflich</translation>
    </message>
    <message>
        <source>Chat muted</source>
        <translation>Chat stumm</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Clear the conversation with {who} for this account</source>
        <translation>Das Gespräch mit {who} für dieses Konto leeren</translation>
    </message>
    <message>
        <source>Conversation changed</source>
        <translation>Gespräch geändert</translation>
    </message>
    <message>
        <source>Delivery unknown</source>
        <translation>Zustellung unbekannt</translation>
    </message>
    <message>
        <source>Earlier step changed</source>
        <translation>Früherer Schritt geändert</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>First message to {who}</source>
        <translation>Erste Nachricht an {who}</translation>
    </message>
    <message>
        <source>Held earlier</source>
        <translation>War angehalten</translation>
    </message>
    <message>
        <source>Mute state unknown</source>
        <translation>Stummschaltung unbekannt</translation>
    </message>
    <message>
        <source>Older than 12 hours</source>
        <translation>Älter als 12 Stunden</translation>
    </message>
    <message>
        <source>Overdue</source>
        <translation>Überfällig</translation>
    </message>
    <message>
        <source>Perhaps blocked</source>
        <translation>Vielleicht blockiert</translation>
    </message>
    <message>
        <source>Photo</source>
        <translation>Foto</translation>
    </message>
    <message>
        <source>Reply cut off</source>
        <translation>Antwort abgeschnitten</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Sticker</source>
        <translation>Sticker</translation>
    </message>
    <message>
        <source>Stop the agent</source>
        <translation>Agent stoppen</translation>
    </message>
    <message>
        <source>Stop {agent}</source>
        <translation>{agent} stoppen</translation>
    </message>
    <message>
        <source>Too many automatic sends</source>
        <translation>Zu viele automatische Nachrichten</translation>
    </message>
    <message>
        <source>Unblock</source>
        <translation>Blockierung aufheben</translation>
    </message>
    <message>
        <source>Unblock {who}</source>
        <translation>Blockierung von {who} aufheben</translation>
    </message>
    <message>
        <source>You took over</source>
        <translation>Von Ihnen übernommen</translation>
    </message>
    <message>
        <source>from {set}</source>
        <translation>aus {set}</translation>
    </message>
    <message>
        <source>{action}. Reason: {reason}</source>
        <translation>{action}. Grund: {reason}</translation>
    </message>
    <message>
        <source>{n} of {all} parts sent</source>
        <translation>{n} von {all} Teilen gesendet</translation>
    </message>
</context>
<context>
    <name>Causes</name>
    <message>
        <source>Other…</source>
        <translation>Anderer Grund …</translation>
    </message>
    <message>
        <source>Reasons</source>
        <translation>Gründe</translation>
    </message>
</context>
<context>
    <name>ChangedBlock</name>
    <message numerus="yes">
        <source>%n change(s) since this was planned</source>
        <translation>
            <numerusform>%n Änderung seit dem Planen</numerusform>
            <numerusform>%n Änderungen seit dem Planen</numerusform>
        </translation>
    </message>
    <message>
        <source>I've read the changes and still want to send this</source>
        <translation>Änderungen gelesen, trotzdem senden</translation>
    </message>
    <message>
        <source>Planned more than 12 hours ago. Check that it still fits</source>
        <translation>Vor mehr als 12 Stunden geplant; bitte prüfen, ob es noch passt</translation>
    </message>
    <message>
        <source>Show in chat</source>
        <translation>Im Chat zeigen</translation>
    </message>
    <message>
        <source>The conversation was changed after this was planned</source>
        <translation>Das Gespräch wurde nach dem Planen geändert</translation>
    </message>
    <message>
        <source>{n} more above</source>
        <translation>{n} weitere darüber</translation>
    </message>
</context>
<context>
    <name>CharacterCards</name>
    <message>
        <source>An older card in the same picture, which differs</source>
        <translation>Eine ältere Karte im selben Bild, die abweicht</translation>
    </message>
    <message numerus="yes">
        <source>Assets on the web, never fetched: %n</source>
        <translation>
            <numerusform>Beigaben im Web, nie abgerufen: %n</numerusform>
            <numerusform>Beigaben im Web, nie abgerufen: %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Assets: %n</source>
        <translation>
            <numerusform>Beigaben: %n</numerusform>
            <numerusform>Beigaben: %n</numerusform>
        </translation>
    </message>
    <message>
        <source>Creator</source>
        <translation>Urheber</translation>
    </message>
    <message numerus="yes">
        <source>Decorators (@@) in its lore: %n</source>
        <translation>
            <numerusform>Dekoratoren (@@) in seiner Lore: %n</numerusform>
            <numerusform>Dekoratoren (@@) in seiner Lore: %n</numerusform>
        </translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>Example dialogue</source>
        <translation>Beispieldialog</translation>
    </message>
    <message>
        <source>Extensions of other programs: {words}</source>
        <translation>Erweiterungen anderer Programme: {words}</translation>
    </message>
    <message>
        <source>Fields with unusable content: {words}</source>
        <translation>Felder mit unbrauchbarem Inhalt: {words}</translation>
    </message>
    <message>
        <source>First message: agents only answer</source>
        <translation>Erste Nachricht: Agenten antworten nur</translation>
    </message>
    <message numerus="yes">
        <source>Further greetings: %n</source>
        <translation>
            <numerusform>Weitere Begrüßungen: %n</numerusform>
            <numerusform>Weitere Begrüßungen: %n</numerusform>
        </translation>
    </message>
    <message>
        <source>Here the card's author tells the model how to answer.</source>
        <translation>Hier sagt der Urheber der Karte dem Modell, wie es antworten soll.</translation>
    </message>
    <message>
        <source>Ignored</source>
        <translation>Nicht beachtet</translation>
    </message>
    <message>
        <source>Instructions after the conversation</source>
        <translation>Anweisungen nach dem Gespräch</translation>
    </message>
    <message>
        <source>Invisible, broken or misleading characters in its texts</source>
        <translation>Unsichtbare, defekte oder irreführende Zeichen in den Texten</translation>
    </message>
    <message>
        <source>It becomes the name and the instructions.</source>
        <translation>Daraus werden Name und Anweisungen.</translation>
    </message>
    <message>
        <source>It is in every export, but no prompt has it.</source>
        <translation>Es bleibt in jedem Export, aber kein Prompt enthält es.</translation>
    </message>
    <message>
        <source>It is left out of what is used.</source>
        <translation>Bleibt bei allem, was verwendet wird, weg.</translation>
    </message>
    <message>
        <source>Kept, not used</source>
        <translation>Behalten, nicht verwendet</translation>
    </message>
    <message numerus="yes">
        <source>Lore that is always on: %n</source>
        <translation>
            <numerusform>Lore, die immer gilt: %n</numerusform>
            <numerusform>Lore, die immer gilt: %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Lore that waits for keywords or is off: %n</source>
        <translation>
            <numerusform>Lore, die auf Stichwörter wartet oder aus ist: %n</numerusform>
            <numerusform>Lore, die auf Stichwörter wartet oder aus ist: %n</numerusform>
        </translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Nickname, in its texts</source>
        <translation>Rufname, in den Texten</translation>
    </message>
    <message>
        <source>Notes of its creator</source>
        <translation>Anmerkungen des Urhebers</translation>
    </message>
    <message>
        <source>Outdated copies of its texts: {words}</source>
        <translation>Veraltete Kopien seiner Texte: {words}</translation>
    </message>
    <message>
        <source>Personality</source>
        <translation>Persönlichkeit</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>Szenario</translation>
    </message>
    <message numerus="yes">
        <source>Sources: %n</source>
        <translation>
            <numerusform>Quellen: %n</numerusform>
            <numerusform>Quellen: %n</numerusform>
        </translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>System-Prompt</translation>
    </message>
    <message numerus="yes">
        <source>Tags: %n</source>
        <translation>
            <numerusform>Schlagwörter: %n</numerusform>
            <numerusform>Schlagwörter: %n</numerusform>
        </translation>
    </message>
    <message>
        <source>The picture</source>
        <translation>Das Bild</translation>
    </message>
    <message>
        <source>Unknown fields: {words}</source>
        <translation>Unbekannte Felder: {words}</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>Verwendet</translation>
    </message>
    <message>
        <source>Used only if you want it</source>
        <translation>Nur auf Wunsch verwendet</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
</context>
<context>
    <name>ChatHeader</name>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message numerus="yes">
        <source>Group, %n member(s)</source>
        <translation>
            <numerusform>Gruppe, %n Mitglied</numerusform>
            <numerusform>Gruppe, %n Mitglieder</numerusform>
        </translation>
    </message>
    <message>
        <source>Hidden steps</source>
        <translation>Verborgene Schritte</translation>
    </message>
    <message>
        <source>More about this chat</source>
        <translation>Mehr zu diesem Chat</translation>
    </message>
    <message>
        <source>Search in this chat</source>
        <translation>In diesem Chat suchen</translation>
    </message>
    <message>
        <source>Take over</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>The agent pauses in this chat, and you write</source>
        <translation>Der Agent pausiert in diesem Chat, und Sie schreiben</translation>
    </message>
    <message>
        <source>This account can't write here</source>
        <translation>Dieses Konto darf hier nicht schreiben</translation>
    </message>
    <message>
        <source>Trust: {level}. Change</source>
        <translation>Vertrauen: {level}. Ändern</translation>
    </message>
    <message>
        <source>as</source>
        <translation>als</translation>
    </message>
    <message>
        <source>typing…</source>
        <translation>schreibt …</translation>
    </message>
    <message>
        <source>{who}, as {agent}, trust {trust}</source>
        <translation>{who}, als {agent}, Vertrauen {trust}</translation>
    </message>
</context>
<context>
    <name>ChatMenu</name>
    <message>
        <source>Copy the name</source>
        <translation>Name kopieren</translation>
    </message>
    <message>
        <source>Copy the username</source>
        <translation>Benutzernamen kopieren</translation>
    </message>
    <message>
        <source>Default: every message</source>
        <translation>Standard: jede Nachricht</translation>
    </message>
    <message>
        <source>Default: when mentioned or replied to</source>
        <translation>Standard: bei Erwähnung oder Antwort</translation>
    </message>
    <message>
        <source>Every message</source>
        <translation>Jede Nachricht</translation>
    </message>
    <message>
        <source>Everything about this person…</source>
        <translation>Alles zu dieser Person …</translation>
    </message>
    <message>
        <source>Hold this account</source>
        <translation>Dieses Konto anhalten</translation>
    </message>
    <message>
        <source>Hold this chat</source>
        <translation>Diesen Chat anhalten</translation>
    </message>
    <message>
        <source>Log in…</source>
        <translation>Anmelden …</translation>
    </message>
    <message>
        <source>Log out…</source>
        <translation>Abmelden …</translation>
    </message>
    <message>
        <source>Mark as read</source>
        <translation>Als gelesen markieren</translation>
    </message>
    <message>
        <source>Mute notifications</source>
        <translation>Benachrichtigungen stummschalten</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Only when mentioned or replied to</source>
        <translation>Nur bei Erwähnung oder Antwort</translation>
    </message>
    <message>
        <source>Other hours…</source>
        <translation>Andere Zeiten …</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Plan a reply now</source>
        <translation>Jetzt eine Antwort planen</translation>
    </message>
    <message>
        <source>Quiet hours</source>
        <translation>Ruhezeiten</translation>
    </message>
    <message>
        <source>Release this account</source>
        <translation>Anhalten dieses Kontos aufheben</translation>
    </message>
    <message>
        <source>Release this chat</source>
        <translation>Anhalten dieses Chats aufheben</translation>
    </message>
    <message>
        <source>Reply to</source>
        <translation>Antwort auf</translation>
    </message>
    <message>
        <source>Reply to bots</source>
        <translation>Bots antworten</translation>
    </message>
    <message>
        <source>Reply to my other agents</source>
        <translation>Meinen anderen Agenten antworten</translation>
    </message>
    <message>
        <source>Resume the agent</source>
        <translation>Agent fortsetzen</translation>
    </message>
    <message>
        <source>Show notifications</source>
        <translation>Benachrichtigungen zeigen</translation>
    </message>
    <message>
        <source>Show plan</source>
        <translation>Plan zeigen</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Take over</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Trust level</source>
        <translation>Vertrauensstufe</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>draft reply generate</source>
        <translation>Entwurf Antwort erzeugen</translation>
    </message>
    <message>
        <source>export forget delete privacy data gdpr</source>
        <translation>exportieren vergessen löschen datenschutz daten dsgvo</translation>
    </message>
    <message>
        <source>mute night do not disturb</source>
        <translation>stumm Nacht nicht stören</translation>
    </message>
    <message>
        <source>mute reply triggers</source>
        <translation>stumm Antwort Auslöser</translation>
    </message>
    <message>
        <source>steps task graph next</source>
        <translation>schritte aufgaben graph nächstes</translation>
    </message>
    <message>
        <source>takeover pause</source>
        <translation>Übernahme Pause</translation>
    </message>
    <message>
        <source>trust autonomy</source>
        <translation>Vertrauen Autonomie</translation>
    </message>
    <message>
        <source>{begin} to {end}</source>
        <translation>{begin} bis {end}</translation>
    </message>
</context>
<context>
    <name>ChatNews</name>
    <message>
        <source>About the plan:</source>
        <translation>Zum Plan:</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Automatik</translation>
    </message>
    <message>
        <source>Auto {n} min</source>
        <translation>Automatik {n} min</translation>
    </message>
    <message>
        <source>Countdown {n} s</source>
        <translation>Countdown {n} s</translation>
    </message>
    <message>
        <source>Delivery unknown</source>
        <translation>Zustellung unbekannt</translation>
    </message>
    <message>
        <source>Draft kept</source>
        <translation>Entwurf aufbewahrt</translation>
    </message>
    <message>
        <source>Failed:</source>
        <translation>Fehlgeschlagen:</translation>
    </message>
    <message>
        <source>No plan:</source>
        <translation>Kein Plan:</translation>
    </message>
    <message>
        <source>Not sent:</source>
        <translation>Nicht gesendet:</translation>
    </message>
    <message>
        <source>Observe</source>
        <translation>Beobachten</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Paused:</source>
        <translation>Angehalten:</translation>
    </message>
    <message>
        <source>Planned</source>
        <translation>Geplant</translation>
    </message>
    <message>
        <source>Planning a reply…</source>
        <translation>Plant eine Antwort …</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Prüfen</translation>
    </message>
    <message numerus="yes">
        <source>You · %n min</source>
        <translation>
            <numerusform>Sie · %n min</numerusform>
            <numerusform>Sie · %n min</numerusform>
        </translation>
    </message>
    <message>
        <source>You: {text}</source>
        <translation>Sie: {text}</translation>
    </message>
    <message>
        <source>typing…</source>
        <translation>schreibt …</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} s</translation>
    </message>
</context>
<context>
    <name>ChatRequests</name>
    <message>
        <source>A long wait needs your approval</source>
        <translation>Lange Wartezeit: bitte bestätigen</translation>
    </message>
    <message>
        <source>About the plan</source>
        <translation>Zum Plan</translation>
    </message>
    <message>
        <source>Allow wait</source>
        <translation>Warten erlauben</translation>
    </message>
    <message>
        <source>Approve my text</source>
        <translation>Meinen Text freigeben</translation>
    </message>
    <message>
        <source>Approved, then replaced by a new plan</source>
        <translation>Freigegeben, dann durch einen neuen Plan ersetzt</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Held. Press again to keep it</source>
        <translation>Angehalten: zum Behalten noch einmal drücken</translation>
    </message>
    <message>
        <source>Not sent (observe only)</source>
        <translation>Nicht gesendet (nur beobachten)</translation>
    </message>
    <message>
        <source>Plan now</source>
        <translation>Jetzt planen</translation>
    </message>
    <message>
        <source>Planning failed</source>
        <translation>Planen fehlgeschlagen</translation>
    </message>
    <message>
        <source>Planning is paused</source>
        <translation>Das Planen ist angehalten</translation>
    </message>
    <message>
        <source>Press again to approve</source>
        <translation>Zum Freigeben noch einmal drücken</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>Trotzdem senden</translation>
    </message>
    <message>
        <source>Send as my message</source>
        <translation>Als meine Nachricht senden</translation>
    </message>
    <message>
        <source>Send this one</source>
        <translation>Diese senden</translation>
    </message>
    <message>
        <source>Skip wait</source>
        <translation>Warten überspringen</translation>
    </message>
    <message>
        <source>Your edit was saved</source>
        <translation>Ihre Bearbeitung ist gespeichert</translation>
    </message>
    <message>
        <source>Your edit; its draft is gone</source>
        <translation>Ihre Bearbeitung; der Entwurf ist weg</translation>
    </message>
    <message>
        <source>{why}. The steps after it wait for you.</source>
        <translation>{why}. Spätere Schritte des Plans warten auf Ihre Entscheidung.</translation>
    </message>
</context>
<context>
    <name>ChatRows</name>
    <message>
        <source>Held</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Held by you</source>
        <translation>Von Ihnen angehalten</translation>
    </message>
</context>
<context>
    <name>ChatTree</name>
    <message>
        <source>Agents and chats</source>
        <translation>Agenten und Chats</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
</context>
<context>
    <name>ChatTreeModel</name>
    <message numerus="yes">
        <source>%n waiting for you</source>
        <translation>
            <numerusform>%n wartet auf Sie</numerusform>
            <numerusform>%n warten auf Sie</numerusform>
        </translation>
    </message>
    <message>
        <source>muted</source>
        <translation>stummgeschaltet</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>planning a reply</source>
        <translation>plant eine Antwort</translation>
    </message>
    <message>
        <source>trust {level}</source>
        <translation>Vertrauen {level}</translation>
    </message>
    <message>
        <source>typing</source>
        <translation>schreibt</translation>
    </message>
    <message numerus="yes">
        <source>you took over, %n min left</source>
        <translation>
            <numerusform>von Ihnen übernommen, noch %n min</numerusform>
            <numerusform>von Ihnen übernommen, noch %n min</numerusform>
        </translation>
    </message>
    <message>
        <source>you: {text}</source>
        <translation>Sie: {text}</translation>
    </message>
    <message>
        <source>{n} planned, waiting for you</source>
        <translation>{n} geplant, wartet auf Sie</translation>
    </message>
    <message>
        <source>{n} unread</source>
        <translation>{n} ungelesen</translation>
    </message>
</context>
<context>
    <name>ChipList</name>
    <message>
        <source>Delete removes an entry</source>
        <translation>Entf entfernt einen Eintrag</translation>
    </message>
</context>
<context>
    <name>ChipsControl</name>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
</context>
<context>
    <name>Chooser</name>
    <message>
        <source>F7 next place</source>
        <translation>F7 nächste Stelle</translation>
    </message>
    <message>
        <source>You and the new draft both added words here</source>
        <translation>Sie und der neue Entwurf haben hier Wörter ergänzt</translation>
    </message>
    <message>
        <source>You and the new draft both changed “{words}”</source>
        <translation>Beide haben „{words}“ geändert</translation>
    </message>
    <message>
        <source>first draft</source>
        <translation>erster Entwurf</translation>
    </message>
    <message>
        <source>new draft</source>
        <translation>neuer Entwurf</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>or edit the result</source>
        <translation>oder das Ergebnis bearbeiten</translation>
    </message>
    <message>
        <source>yours</source>
        <translation>Ihr Text</translation>
    </message>
    <message>
        <source>{words}, {source}</source>
        <translation>{words}, {source}</translation>
    </message>
</context>
<context>
    <name>ClockFace</name>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>{h} h</source>
        <translation>{h} h</translation>
    </message>
    <message>
        <source>{h} h {m} min</source>
        <translation>{h} h {m} min</translation>
    </message>
    <message>
        <source>{n} d</source>
        <translation>{n} d</translation>
    </message>
    <message>
        <source>{n} h</source>
        <translation>{n} h</translation>
    </message>
    <message>
        <source>{n} min</source>
        <translation>{n} min</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} s</translation>
    </message>
    <message>
        <source>{weekday}, {day}</source>
        <translation>{weekday}, {day}</translation>
    </message>
</context>
<context>
    <name>CoachLine</name>
    <message>
        <source>Nothing is sent before you approve it.</source>
        <translation>Ohne Ihre Freigabe wird nichts gesendet.</translation>
    </message>
    <message>
        <source>Nothing is sent before you approve it. Press A to approve, E to edit, R to reject.</source>
        <translation>Ohne Ihre Freigabe wird nichts gesendet. A gibt frei, E bearbeitet, R lehnt ab.</translation>
    </message>
</context>
<context>
    <name>CodeField</name>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message numerus="yes">
        <source>Code, %n character(s)</source>
        <translation>
            <numerusform>Code, %n Zeichen</numerusform>
            <numerusform>Code, %n Zeichen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CodePage</name>
    <message>
        <source>Change number</source>
        <translation>Nummer ändern</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Never share this code or paste it into a chat.</source>
        <translation>Diesen Code niemandem geben und in keinen Chat einfügen.</translation>
    </message>
    <message>
        <source>New code possible in {time}</source>
        <translation>Neuer Code möglich in {time}</translation>
    </message>
    <message>
        <source>Save again</source>
        <translation>Erneut speichern</translation>
    </message>
    <message>
        <source>The code is incomplete</source>
        <translation>Der Code ist unvollständig</translation>
    </message>
</context>
<context>
    <name>Column</name>
    <message numerus="yes">
        <source>%n change(s)</source>
        <translation>
            <numerusform>%n Änderung</numerusform>
            <numerusform>%n Änderungen</numerusform>
        </translation>
    </message>
    <message>
        <source>base</source>
        <translation>Ausgangstext</translation>
    </message>
</context>
<context>
    <name>ComparedText</name>
    <message>
        <source>added: {words}</source>
        <translation>hinzugefügt: {words}</translation>
    </message>
    <message>
        <source>removed: {words}</source>
        <translation>entfernt: {words}</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Telegram did not answer. Try again; nothing is sent twice.</source>
        <translation>Telegram hat nicht geantwortet. Versuchen Sie es noch einmal; nichts wird doppelt gesendet.</translation>
    </message>
</context>
<context>
    <name>ComposerArea</name>
    <message>
        <source>Esc, then A to approve</source>
        <translation>Esc, dann A zum Freigeben</translation>
    </message>
</context>
<context>
    <name>ComposerChip</name>
    <message>
        <source>Cancel editing</source>
        <translation>Bearbeiten abbrechen</translation>
    </message>
    <message>
        <source>Cancel reply</source>
        <translation>Antwort verwerfen</translation>
    </message>
    <message>
        <source>Editing a sent message</source>
        <translation>Gesendete Nachricht bearbeiten</translation>
    </message>
    <message>
        <source>Reply to {who}</source>
        <translation>Antwort an {who}</translation>
    </message>
    <message>
        <source>this message</source>
        <translation>diese Nachricht</translation>
    </message>
</context>
<context>
    <name>ConfigDirectory</name>
    <message>
        <source>Agent files are read from its “agents” folder, role prompts from its “prompts” folder.</source>
        <translation>Agentendateien werden aus dem Ordner „agents“ gelesen, Rollenprompts aus dem Ordner „prompts“.</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Wird geprüft …</translation>
    </message>
    <message>
        <source>Chimein uses this folder after a restart</source>
        <translation>Chimein verwendet diesen Ordner nach einem Neustart</translation>
    </message>
    <message>
        <source>It can't be read</source>
        <translation>Nicht lesbar</translation>
    </message>
    <message numerus="yes">
        <source>It replaces all %n that are in use now.</source>
        <translation>
            <numerusform>Er ersetzt den jetzigen.</numerusform>
            <numerusform>Er ersetzt alle %n jetzigen.</numerusform>
        </translation>
    </message>
    <message>
        <source>It replaces the one that is in use now.</source>
        <translation>Er ersetzt den jetzigen.</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>Wird geladen …</translation>
    </message>
    <message>
        <source>Open a config folder</source>
        <translation>Konfigurationsordner öffnen</translation>
    </message>
    <message>
        <source>Use after restart</source>
        <translation>Nach dem Neustart verwenden</translation>
    </message>
    <message>
        <source>Use this folder?</source>
        <translation>Diesen Ordner verwenden?</translation>
    </message>
</context>
<context>
    <name>ConflictsPage</name>
    <message numerus="yes">
        <source>%n need(s) a look</source>
        <translation>
            <numerusform>%n braucht einen Blick</numerusform>
            <numerusform>%n brauchen einen Blick</numerusform>
        </translation>
    </message>
    <message>
        <source>All from disk</source>
        <translation>Alles von der Platte</translation>
    </message>
    <message>
        <source>All mine</source>
        <translation>Alle meine</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>Beides</translation>
    </message>
    <message>
        <source>Decide what both have changed first</source>
        <translation>Entscheiden Sie zuerst, was beide geändert haben</translation>
    </message>
    <message>
        <source>Discard mine</source>
        <translation>Meine verwerfen</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Keep editing</source>
        <translation>Weiter bearbeiten</translation>
    </message>
    <message>
        <source>Mine</source>
        <translation>Meine</translation>
    </message>
    <message>
        <source>Next conflict</source>
        <translation>Nächster Konflikt</translation>
    </message>
    <message>
        <source>No conflicts. Nothing that you typed waits here.</source>
        <translation>Keine Konflikte. Nichts, was Sie getippt haben, wartet hier.</translation>
    </message>
    <message>
        <source>Nothing is lost: your text and the file are both kept until you decide.</source>
        <translation>Nichts geht verloren: Ihr Text und die Datei bleiben, bis Sie entscheiden.</translation>
    </message>
    <message>
        <source>On disk</source>
        <translation>Auf der Platte</translation>
    </message>
    <message>
        <source>Open plan</source>
        <translation>Plan öffnen</translation>
    </message>
    <message>
        <source>Open plan {number}</source>
        <translation>Plan {number} öffnen</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>Write the result</source>
        <translation>Ergebnis schreiben</translation>
    </message>
    <message>
        <source>Yours</source>
        <translation>Ihre Fassung</translation>
    </message>
    <message>
        <source>all are decided</source>
        <translation>alle sind entschieden</translation>
    </message>
    <message>
        <source>typed here, not saved yet</source>
        <translation>hier getippt, noch nicht gespeichert</translation>
    </message>
    <message>
        <source>what will be written</source>
        <translation>was geschrieben wird</translation>
    </message>
    <message>
        <source>when you began</source>
        <translation>als Sie anfingen</translation>
    </message>
    <message>
        <source>written by another program</source>
        <translation>von einem anderen Programm geschrieben</translation>
    </message>
    <message>
        <source>{file} changed on disk while you were editing it</source>
        <translation>{file} wurde auf der Platte geändert, während Sie daran schrieben</translation>
    </message>
    <message>
        <source>{n} of {total} decided by the merge itself</source>
        <translation>{n} von {total} durch die Zusammenführung entschieden</translation>
    </message>
</context>
<context>
    <name>Context</name>
    <message numerus="yes">
        <source>%n day(s)</source>
        <translation>
            <numerusform>%n Tag</numerusform>
            <numerusform>%n Tage</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) for the next plan</source>
        <translation>
            <numerusform>%n Nachricht für den nächsten Plan</numerusform>
            <numerusform>%n Nachrichten für den nächsten Plan</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) left out, all under {most} %</source>
        <translation>
            <numerusform>%n Nachricht weggelassen, unter {most} %</numerusform>
            <numerusform>%n Nachrichten weggelassen, alle unter {most} %</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pin(s) for later plans</source>
        <translation>
            <numerusform>%n Vorgabe für spätere Pläne</numerusform>
            <numerusform>%n Vorgaben für spätere Pläne</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A fixed history: the newest %n message(s), whatever they are about. Nothing was chosen.</source>
        <translation>
            <numerusform>Fester Verlauf: die neueste %n Nachricht, egal worum es geht. Nichts wurde ausgewählt.</numerusform>
            <numerusform>Fester Verlauf: die neuesten %n Nachrichten, egal worum es geht. Nichts wurde ausgewählt.</numerusform>
        </translation>
    </message>
    <message>
        <source>A long silence lies between it and the trigger.</source>
        <translation>Zwischen ihr und dem Auslöser liegt eine lange Pause.</translation>
    </message>
    <message>
        <source>Another version of this plan is being written.</source>
        <translation>Eine andere Fassung dieses Plans wird gerade geschrieben.</translation>
    </message>
    <message>
        <source>It came shortly before the trigger, without a long silence between.</source>
        <translation>Sie kam kurz vor dem Auslöser, ohne lange Pause dazwischen.</translation>
    </message>
    <message>
        <source>It is in another topic of this forum.</source>
        <translation>Sie steht in einem anderen Thema dieses Forums.</translation>
    </message>
    <message>
        <source>It is in the chain of replies above the trigger, so it is always in.</source>
        <translation>Sie gehört zur Kette der Antworten über dem Auslöser und ist deshalb immer dabei.</translation>
    </message>
    <message>
        <source>It is one of the newest messages, which are taken whatever they are about.</source>
        <translation>Sie ist eine der neuesten Nachrichten; die werden genommen, egal worum es geht.</translation>
    </message>
    <message>
        <source>It probably belongs to another conversation.</source>
        <translation>Sie gehört wahrscheinlich zu einem anderen Gespräch.</translation>
    </message>
    <message>
        <source>It probably belongs to the conversation of the trigger.</source>
        <translation>Sie gehört wahrscheinlich zum Gespräch des Auslösers.</translation>
    </message>
    <message>
        <source>It was deleted, or Telegram itself wrote it.</source>
        <translation>Sie wurde gelöscht oder stammt von Telegram selbst.</translation>
    </message>
    <message>
        <source>No draft of this plan waits for a decision.</source>
        <translation>Kein Entwurf dieses Plans wartet auf eine Entscheidung.</translation>
    </message>
    <message>
        <source>No pins</source>
        <translation>Nichts angeheftet</translation>
    </message>
    <message>
        <source>No probabilities: nothing was estimated</source>
        <translation>Keine Wahrscheinlichkeiten: nichts wurde geschätzt</translation>
    </message>
    <message>
        <source>Nothing is chosen in a fixed history, so there is nothing to pin.</source>
        <translation>In einem festen Verlauf wird nichts ausgewählt, also gibt es nichts anzuheften.</translation>
    </message>
    <message>
        <source>Probably answers {name}: {text}</source>
        <translation>Antwortet wahrscheinlich auf {name}: {text}</translation>
    </message>
    <message>
        <source>Replies to {name}: {text}</source>
        <translation>Antwortet auf {name}: {text}</translation>
    </message>
    <message>
        <source>The agent's file says history {n}: up to {n} of the newest messages are taken, whatever they are about.</source>
        <translation>In der Datei des Agenten steht history {n}: Bis zu {n} der neuesten Nachrichten werden genommen, egal worum es geht.</translation>
    </message>
    <message>
        <source>The plan answers this message, so it is always in.</source>
        <translation>Der Plan beantwortet diese Nachricht, sie ist deshalb immer dabei.</translation>
    </message>
    <message>
        <source>The plan was to answer it, but it was deleted.</source>
        <translation>Der Plan sollte sie beantworten, aber sie wurde gelöscht.</translation>
    </message>
    <message>
        <source>The prompt holds only so many messages, and newer ones are in it.</source>
        <translation>Der Prompt fasst nur eine begrenzte Zahl von Nachrichten, und neuere sind darin.</translation>
    </message>
    <message>
        <source>The trigger replies to this message, so it is always in.</source>
        <translation>Der Auslöser antwortet auf diese Nachricht, sie ist deshalb immer dabei.</translation>
    </message>
    <message>
        <source>You have included it once, for this plan alone.</source>
        <translation>Sie haben sie einmal aufgenommen, nur für diesen Plan.</translation>
    </message>
    <message>
        <source>You have pinned it in.</source>
        <translation>Sie haben sie angeheftet; sie ist immer dabei.</translation>
    </message>
    <message>
        <source>You have pinned it out.</source>
        <translation>Sie haben sie ausgeschlossen; sie ist nie dabei.</translation>
    </message>
    <message>
        <source>anchor</source>
        <translation>Anker</translation>
    </message>
    <message>
        <source>close in time</source>
        <translation>zeitlich nah</translation>
    </message>
    <message>
        <source>deleted or service</source>
        <translation>gelöscht oder von Telegram</translation>
    </message>
    <message>
        <source>in</source>
        <translation>drin</translation>
    </message>
    <message>
        <source>in the next plan</source>
        <translation>im nächsten Plan dabei</translation>
    </message>
    <message>
        <source>included once</source>
        <translation>einmal aufgenommen</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>weggelassen</translation>
    </message>
    <message>
        <source>linked</source>
        <translation>verknüpft</translation>
    </message>
    <message>
        <source>missed</source>
        <translation>verpasst</translation>
    </message>
    <message>
        <source>newest</source>
        <translation>neueste</translation>
    </message>
    <message>
        <source>other conversation</source>
        <translation>anderes Gespräch</translation>
    </message>
    <message>
        <source>other session</source>
        <translation>andere Sitzung</translation>
    </message>
    <message>
        <source>other topic</source>
        <translation>anderes Thema</translation>
    </message>
    <message>
        <source>out</source>
        <translation>raus</translation>
    </message>
    <message>
        <source>over the limit</source>
        <translation>über dem Limit</translation>
    </message>
    <message>
        <source>pinned in</source>
        <translation>drin angeheftet</translation>
    </message>
    <message>
        <source>pinned out</source>
        <translation>ausgeschlossen</translation>
    </message>
    <message>
        <source>reply chain</source>
        <translation>Antwortkette</translation>
    </message>
    <message>
        <source>taken</source>
        <translation>genommen</translation>
    </message>
    <message>
        <source>taken from {n} %</source>
        <translation>genommen ab {n} %</translation>
    </message>
    <message>
        <source>the 60-minute rule would miss it</source>
        <translation>die 60-Minuten-Regel würde sie verpassen</translation>
    </message>
    <message>
        <source>the 60-minute rule would take it</source>
        <translation>die 60-Minuten-Regel würde sie nehmen</translation>
    </message>
    <message>
        <source>the same messages</source>
        <translation>dieselben Nachrichten</translation>
    </message>
    <message>
        <source>trigger</source>
        <translation>Auslöser</translation>
    </message>
    <message>
        <source>{h} h {m} min</source>
        <translation>{h} Std. {m} Min.</translation>
    </message>
    <message>
        <source>{length} without a message</source>
        <translation>{length} ohne Nachricht</translation>
    </message>
    <message>
        <source>{low} to {high} %</source>
        <translation>{low} bis {high} %</translation>
    </message>
    <message>
        <source>{m} min</source>
        <translation>{m} Min.</translation>
    </message>
    <message>
        <source>{n} %</source>
        <translation>{n} %</translation>
    </message>
    <message>
        <source>{n} by the 60-minute rule</source>
        <translation>{n} nach der 60-Minuten-Regel</translation>
    </message>
    <message numerus="yes">
        <source>{n} of %n message(s) taken</source>
        <translation>
            <numerusform>{n} von %n Nachricht genommen</numerusform>
            <numerusform>{n} von %n Nachrichten genommen</numerusform>
        </translation>
    </message>
    <message>
        <source>{percent}  {name}: {text}</source>
        <translation>{percent}  {name}: {text}</translation>
    </message>
    <message>
        <source>{silence} · the 60-minute rule would start here</source>
        <translation>{silence} · hier würde die 60-Minuten-Regel beginnen</translation>
    </message>
    <message>
        <source>{span}: {taken} taken, {out} left out</source>
        <translation>{span}: {taken} genommen, {out} weggelassen</translation>
    </message>
    <message>
        <source>{wrong} of them left out here, {missed} of ours missed</source>
        <translation>{wrong} davon hier weggelassen, {missed} von hier verpasst</translation>
    </message>
</context>
<context>
    <name>ContextColumns</name>
    <message>
        <source>60 min</source>
        <translation>60 Min.</translation>
    </message>
    <message>
        <source>Chance</source>
        <translation>Chance</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Bezüge</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
</context>
<context>
    <name>ContextDetails</name>
    <message>
        <source>A trigger is always in.</source>
        <translation>Ein Auslöser ist immer dabei.</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message numerus="yes">
        <source>Chances of %n message(s)</source>
        <translation>
            <numerusform>Chance von %n Nachricht</numerusform>
            <numerusform>Chancen von %n Nachrichten</numerusform>
        </translation>
    </message>
    <message>
        <source>Closest to being taken</source>
        <translation>Beinahe genommen</translation>
    </message>
    <message>
        <source>Later plans</source>
        <translation>Spätere Pläne</translation>
    </message>
    <message>
        <source>Once</source>
        <translation>Einmal</translation>
    </message>
    <message>
        <source>Open in chat</source>
        <translation>Im Chat öffnen</translation>
    </message>
    <message>
        <source>Pin in</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Pin out</source>
        <translation>Ausschließen</translation>
    </message>
    <message>
        <source>Plan again</source>
        <translation>Neu planen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
</context>
<context>
    <name>ContextHead</name>
    <message>
        <source>Newest plan · {time}</source>
        <translation>Neuester Plan · {time}</translation>
    </message>
    <message>
        <source>Only messages that were taken</source>
        <translation>Nur genommene Nachrichten</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Plan · {time}</source>
        <translation>Plan · {time}</translation>
    </message>
    <message>
        <source>What would be taken now</source>
        <translation>Was jetzt genommen würde</translation>
    </message>
</context>
<context>
    <name>ContextList</name>
    <message>
        <source>Messages considered</source>
        <translation>Betrachtete Nachrichten</translation>
    </message>
</context>
<context>
    <name>ContextPane</name>
    <message>
        <source>Loading the context…</source>
        <translation>Der Kontext wird geladen …</translation>
    </message>
    <message>
        <source>No chat is open</source>
        <translation>Kein Chat ist offen</translation>
    </message>
    <message>
        <source>Nothing to answer here</source>
        <translation>Hier ist nichts zu beantworten</translation>
    </message>
    <message>
        <source>Open a chat to see which of its messages the agent takes.</source>
        <translation>Öffnen Sie einen Chat, um zu sehen, welche seiner Nachrichten der Agent nimmt.</translation>
    </message>
    <message>
        <source>The choices of this plan are no longer kept. Choose what would be taken now.</source>
        <translation>Die Auswahl dieses Plans ist nicht mehr gespeichert. Wählen Sie, was jetzt genommen würde.</translation>
    </message>
    <message>
        <source>The context can't be loaded.</source>
        <translation>Der Kontext kann nicht geladen werden.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>When somebody writes, the messages that the agent would take are shown here.</source>
        <translation>Wenn jemand schreibt, stehen hier die Nachrichten, die der Agent nehmen würde.</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>include once</source>
        <translation>einmal aufnehmen</translation>
    </message>
    <message>
        <source>message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>open in chat</source>
        <translation>im Chat öffnen</translation>
    </message>
    <message>
        <source>pin in</source>
        <translation>anheften</translation>
    </message>
    <message>
        <source>pin out</source>
        <translation>ausschließen</translation>
    </message>
    <message>
        <source>trace</source>
        <translation>Trace</translation>
    </message>
    <message>
        <source>what it answers</source>
        <translation>worauf sie antwortet</translation>
    </message>
</context>
<context>
    <name>ConversationsPane</name>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
</context>
<context>
    <name>CostChart</name>
    <message>
        <source>Costs by day</source>
        <translation>Kosten nach Tagen</translation>
    </message>
    <message>
        <source>Costs: {title}</source>
        <translation>Kosten: {title}</translation>
    </message>
    <message>
        <source>today</source>
        <translation>heute</translation>
    </message>
    <message>
        <source>{first} to {last}; most on {day}: {amount}</source>
        <translation>{first} bis {last}; am meisten am {day}: {amount}</translation>
    </message>
</context>
<context>
    <name>CostKeys</name>
    <message>
        <source>back</source>
        <translation>zurück</translation>
    </message>
    <message>
        <source>change</source>
        <translation>ändern</translation>
    </message>
    <message>
        <source>change a cap</source>
        <translation>Grenze ändern</translation>
    </message>
    <message>
        <source>close</source>
        <translation>schließen</translation>
    </message>
    <message>
        <source>day</source>
        <translation>Tag</translation>
    </message>
    <message>
        <source>open</source>
        <translation>öffnen</translation>
    </message>
    <message>
        <source>set</source>
        <translation>festlegen</translation>
    </message>
    <message>
        <source>table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>traces</source>
        <translation>Traces</translation>
    </message>
</context>
<context>
    <name>CostMeter</name>
    <message numerus="yes">
        <source>%n model call(s)</source>
        <translation>
            <numerusform>%n Modellaufruf</numerusform>
            <numerusform>%n Modellaufrufe</numerusform>
        </translation>
    </message>
    <message>
        <source>Cost: {words}</source>
        <translation>Kosten: {words}</translation>
    </message>
    <message>
        <source>an estimate as if Gemini had written the answers; nothing is charged</source>
        <translation>geschätzt, als hätte Gemini geantwortet; berechnet wird nichts</translation>
    </message>
    <message>
        <source>of {limit} today</source>
        <translation>von {limit} heute</translation>
    </message>
    <message>
        <source>today</source>
        <translation>heute</translation>
    </message>
    <message>
        <source>{n} of unknown price</source>
        <translation>{n} ohne bekannten Preis</translation>
    </message>
</context>
<context>
    <name>CostNews</name>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
</context>
<context>
    <name>CostTable</name>
    <message numerus="yes">
        <source>%n call(s) estimated</source>
        <translation>
            <numerusform>%n Aufruf geschätzt</numerusform>
            <numerusform>%n Aufrufe geschätzt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n call(s) without a price</source>
        <translation>
            <numerusform>%n Aufruf ohne Preis</numerusform>
            <numerusform>%n Aufrufe ohne Preis</numerusform>
        </translation>
    </message>
    <message>
        <source>Cached</source>
        <translation>Im Cache</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Costs by {what}</source>
        <translation>Kosten nach {what}</translation>
    </message>
    <message>
        <source>DM</source>
        <translation>Direktchat</translation>
    </message>
    <message>
        <source>In</source>
        <translation>Ein</translation>
    </message>
    <message>
        <source>Out</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>Denken</translation>
    </message>
    <message>
        <source>cap nearly reached</source>
        <translation>Grenze fast erreicht</translation>
    </message>
    <message>
        <source>cap reached</source>
        <translation>Grenze erreicht</translation>
    </message>
    <message>
        <source>group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>today {cap}</source>
        <translation>heute {cap}</translation>
    </message>
</context>
<context>
    <name>Costs</name>
    <message>
        <source>&lt; {amount}</source>
        <translation>&lt; {amount}</translation>
    </message>
    <message>
        <source>&lt; {n} %</source>
        <translation>&lt; {n} %</translation>
    </message>
    <message>
        <source>Agent that is gone</source>
        <translation>Agent, den es nicht mehr gibt</translation>
    </message>
    <message>
        <source>Built-in prices; caps are checked before each call</source>
        <translation>Eingebaute Preise; Grenzen werden vor jedem Aufruf geprüft</translation>
    </message>
    <message>
        <source>Chat that is gone</source>
        <translation>Chat, den es nicht mehr gibt</translation>
    </message>
    <message>
        <source>Daily cap</source>
        <translation>Tagesgrenze</translation>
    </message>
    <message>
        <source>Daily cap for {name}</source>
        <translation>Tagesgrenze für {name}</translation>
    </message>
    <message>
        <source>Descriptions</source>
        <translation>Beschreibungen</translation>
    </message>
    <message>
        <source>Dry runs</source>
        <translation>Probeläufe</translation>
    </message>
    <message>
        <source>Embeddings</source>
        <translation>Einbettungen</translation>
    </message>
    <message>
        <source>No chat</source>
        <translation>Kein Chat</translation>
    </message>
    <message>
        <source>Other versions</source>
        <translation>Andere Fassungen</translation>
    </message>
    <message>
        <source>Planning is paused: today's cap of {amount} for everything is reached</source>
        <translation>Das Planen ist angehalten: Die heutige Grenze von {amount} für alles ist erreicht</translation>
    </message>
    <message>
        <source>Plans</source>
        <translation>Pläne</translation>
    </message>
    <message>
        <source>Reading for memories</source>
        <translation>Lesen nach Erinnerungen</translation>
    </message>
    <message>
        <source>Repairs</source>
        <translation>Reparaturen</translation>
    </message>
    <message>
        <source>Rounds of tools</source>
        <translation>Runden mit Werkzeugen</translation>
    </message>
    <message>
        <source>Taken back. {cap}</source>
        <translation>Zurückgenommen. {cap}</translation>
    </message>
    <message>
        <source>Your prices of {day}, others built in; caps are checked before each call</source>
        <translation>Ihre Preise vom {day}, andere eingebaut; Grenzen werden vor jedem Aufruf geprüft</translation>
    </message>
    <message>
        <source>{name} is paused: today's cap of {amount} is reached</source>
        <translation>{name} ist angehalten: Die heutige Grenze von {amount} ist erreicht</translation>
    </message>
    <message>
        <source>{n} %</source>
        <translation>{n} %</translation>
    </message>
    <message>
        <source>{n} M</source>
        <translation>{n} Mio.</translation>
    </message>
    <message>
        <source>{n} k</source>
        <translation>{n} Tsd.</translation>
    </message>
    <message>
        <source>{spent} of {limit}</source>
        <translation>{spent} von {limit}</translation>
    </message>
    <message>
        <source>{spent}, no cap today</source>
        <translation>{spent}, heute keine Grenze</translation>
    </message>
    <message>
        <source>{what}: none any more</source>
        <translation>{what}: keine mehr</translation>
    </message>
    <message>
        <source>{what}: none any more instead of {before}</source>
        <translation>{what}: keine mehr statt {before}</translation>
    </message>
    <message>
        <source>{what}: {now} instead of {before}</source>
        <translation>{what}: {now} statt {before}</translation>
    </message>
    <message>
        <source>{what}: {now}, as before</source>
        <translation>{what}: {now}, wie vorher</translation>
    </message>
    <message>
        <source>{what}: {now}; there was none before</source>
        <translation>{what}: {now}; vorher gab es keine</translation>
    </message>
    <message>
        <source>“{name}” has no price, so no cap can limit its cost</source>
        <translation>Für „{name}“ gibt es keinen Preis, also kann keine Grenze die Kosten beschränken</translation>
    </message>
</context>
<context>
    <name>CostsPane</name>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n Aufruf</numerusform>
            <numerusform>%n Aufrufe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n plan(s)</source>
        <translation>
            <numerusform>%n Plan</numerusform>
            <numerusform>%n Pläne</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n plan(s) said nothing</source>
        <translation>
            <numerusform>%n Plan sagte nichts</numerusform>
            <numerusform>%n Pläne sagten nichts</numerusform>
        </translation>
    </message>
    <message>
        <source>30 days</source>
        <translation>30 Tage</translation>
    </message>
    <message>
        <source>7 days</source>
        <translation>7 Tage</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>By</source>
        <translation>Nach</translation>
    </message>
    <message>
        <source>By day and agent</source>
        <translation>Nach Tag und Agent</translation>
    </message>
    <message>
        <source>By day and chat</source>
        <translation>Nach Tag und Chat</translation>
    </message>
    <message>
        <source>By day and model</source>
        <translation>Nach Tag und Modell</translation>
    </message>
    <message>
        <source>By day and purpose</source>
        <translation>Nach Tag und Zweck</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>Cached tokens</source>
        <translation>Token im Cache</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Costs</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Costs exported to {name}</source>
        <translation>Kosten nach {name} exportiert</translation>
    </message>
    <message>
        <source>Daily cap…</source>
        <translation>Tagesgrenze …</translation>
    </message>
    <message>
        <source>Export costs</source>
        <translation>Kosten exportieren</translation>
    </message>
    <message>
        <source>Export costs as CSV…</source>
        <translation>Kosten als CSV exportieren …</translation>
    </message>
    <message>
        <source>Export the costs as CSV</source>
        <translation>Kosten als CSV exportieren</translation>
    </message>
    <message>
        <source>For one plan</source>
        <translation>Für einen Plan</translation>
    </message>
    <message>
        <source>Here you see what plans, descriptions and dry runs cost, day by day.</source>
        <translation>Hier sehen Sie Tag für Tag, was Pläne, Beschreibungen und Probeläufe kosten.</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Maß</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>No model calls yet</source>
        <translation>Noch keine Modellaufrufe</translation>
    </message>
    <message>
        <source>Only an agent, a chat or everything can have a cap.</source>
        <translation>Eine Tagesgrenze gibt es nur für Agenten, für Chats und für alles zusammen.</translation>
    </message>
    <message>
        <source>Open agent</source>
        <translation>Agent öffnen</translation>
    </message>
    <message>
        <source>Open chat</source>
        <translation>Chat öffnen</translation>
    </message>
    <message>
        <source>Period</source>
        <translation>Zeitraum</translation>
    </message>
    <message>
        <source>Prices…</source>
        <translation>Preise …</translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation>Zweck</translation>
    </message>
    <message>
        <source>Reading the costs…</source>
        <translation>Kosten werden gelesen …</translation>
    </message>
    <message>
        <source>Set the daily cap…</source>
        <translation>Tagesgrenze setzen …</translation>
    </message>
    <message>
        <source>Show traces</source>
        <translation>Traces zeigen</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>This month</source>
        <translation>Dieser Monat</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Undo the cap</source>
        <translation>Grenze zurücknehmen</translation>
    </message>
    <message>
        <source>being read</source>
        <translation>wird gelesen</translation>
    </message>
    <message>
        <source>limit money spend</source>
        <translation>Limit Geld ausgeben</translation>
    </message>
    <message>
        <source>median; 95 % at most {usd}</source>
        <translation>Median; 95 % höchstens {usd}</translation>
    </message>
    <message>
        <source>no cap until midnight</source>
        <translation>bis Mitternacht keine Grenze</translation>
    </message>
    <message>
        <source>no daily cap</source>
        <translation>keine Tagesgrenze</translation>
    </message>
    <message>
        <source>no plan with a price</source>
        <translation>kein Plan mit Preis</translation>
    </message>
    <message>
        <source>projected {usd}</source>
        <translation>voraussichtlich {usd}</translation>
    </message>
    <message>
        <source>save spreadsheet table</source>
        <translation>speichern Tabelle</translation>
    </message>
    <message numerus="yes">
        <source>tokens of %n estimated</source>
        <translation>
            <numerusform>Token von %n geschätzt</numerusform>
            <numerusform>Token von %n geschätzt</numerusform>
        </translation>
    </message>
    <message>
        <source>{share} of the output is thinking</source>
        <translation>{share} der Ausgabe sind Denken</translation>
    </message>
    <message>
        <source>{share} of the {limit} cap</source>
        <translation>{share} der Grenze von {limit}</translation>
    </message>
    <message>
        <source>{share} of {limit}, today only</source>
        <translation>{share} von {limit}, nur heute</translation>
    </message>
</context>
<context>
    <name>CostsPaneModel</name>
    <message>
        <source>Others</source>
        <translation>Andere</translation>
    </message>
</context>
<context>
    <name>CursorList</name>
    <message>
        <source>Nothing else waits</source>
        <translation>Sonst wartet nichts</translation>
    </message>
</context>
<context>
    <name>DecisionDetail</name>
    <message>
        <source>Decision</source>
        <translation>Entscheidung</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Open chat</source>
        <translation>Chat öffnen</translation>
    </message>
    <message>
        <source>Reason: {words}</source>
        <translation>Grund: {words}</translation>
    </message>
    <message>
        <source>Revoke</source>
        <translation>Widerrufen</translation>
    </message>
    <message>
        <source>Revoke this rule…</source>
        <translation>Diese Regel widerrufen …</translation>
    </message>
    <message>
        <source>Your changes to the model's text</source>
        <translation>Ihre Änderungen am Text des Modells</translation>
    </message>
    <message>
        <source>{agent} to {chat}</source>
        <translation>{agent} an {chat}</translation>
    </message>
    <message>
        <source>{day}, {time}</source>
        <translation>{day}, {time}</translation>
    </message>
</context>
<context>
    <name>DecisionExport</name>
    <message numerus="yes">
        <source>%n decision(s) exported to {name}</source>
        <translation>
            <numerusform>%n Entscheidung exportiert nach {name}</numerusform>
            <numerusform>%n Entscheidungen exportiert nach {name}</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Export decisions</source>
        <translation>Entscheidungen exportieren</translation>
    </message>
    <message>
        <source>Exporting… {count} written</source>
        <translation>Wird exportiert … {count} geschrieben</translation>
    </message>
    <message>
        <source>JSON files (*.json)</source>
        <translation>JSON-Dateien (*.json)</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
</context>
<context>
    <name>DecisionFilterRow</name>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>All agents</source>
        <translation>Alle Agenten</translation>
    </message>
    <message>
        <source>All chats</source>
        <translation>Alle Chats</translation>
    </message>
    <message>
        <source>All decisions</source>
        <translation>Alle Entscheidungen</translation>
    </message>
    <message>
        <source>By a rule</source>
        <translation>Durch eine Regel</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>Entscheidung</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>Entscheidungen</translation>
    </message>
    <message>
        <source>Edited</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search decisions</source>
        <translation>Entscheidungen durchsuchen</translation>
    </message>
</context>
<context>
    <name>DecisionList</name>
    <message>
        <source>Decisions</source>
        <translation>Entscheidungen</translation>
    </message>
</context>
<context>
    <name>Decisions</name>
    <message>
        <source>A file of that name can't be saved there. Choose another folder or name.</source>
        <translation>Hier lässt sich keine Datei dieses Namens anlegen. Wählen Sie einen anderen Ordner oder Namen.</translation>
    </message>
    <message>
        <source>A rule</source>
        <translation>Eine Regel</translation>
    </message>
    <message>
        <source>Approved</source>
        <translation>Freigegeben</translation>
    </message>
    <message>
        <source>Approved by a rule</source>
        <translation>Von einer Regel freigegeben</translation>
    </message>
    <message>
        <source>Edited and approved</source>
        <translation>Bearbeitet und freigegeben</translation>
    </message>
    <message>
        <source>It had no end.</source>
        <translation>Sie galt unbegrenzt.</translation>
    </message>
    <message>
        <source>It was set to end {time}.</source>
        <translation>Sie sollte {time} enden.</translation>
    </message>
    <message>
        <source>No rule decides in this chat now.</source>
        <translation>In diesem Chat entscheidet zurzeit keine Regel.</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>Nothing is sent automatically any more in the chats of {agent} that have no level of their own.</source>
        <translation>In allen Chats von {agent} ohne eigene Stufe wird nichts mehr automatisch gesendet.</translation>
    </message>
    <message>
        <source>Nothing is sent to {chat} automatically any more. Planned messages wait for you.</source>
        <translation>An {chat} wird nichts mehr automatisch gesendet. Geplante Nachrichten warten auf Sie.</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>Anderer Grund</translation>
    </message>
    <message>
        <source>Plan rejected</source>
        <translation>Plan abgelehnt</translation>
    </message>
    <message>
        <source>Postponed</source>
        <translation>Verschoben</translation>
    </message>
    <message>
        <source>Regenerated</source>
        <translation>Neu erzeugt</translation>
    </message>
    <message>
        <source>Rejected</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <source>Rule revoked. Planned messages in this chat wait for you</source>
        <translation>Regel widerrufen. Geplante Nachrichten in diesem Chat warten auf Sie</translation>
    </message>
    <message>
        <source>Rule revoked. Planned messages of this agent wait for you</source>
        <translation>Regel widerrufen. Geplante Nachrichten dieses Agenten warten auf Sie</translation>
    </message>
    <message>
        <source>Rule: trust level {level}</source>
        <translation>Regel: Vertrauensstufe {level}</translation>
    </message>
    <message>
        <source>Sent anyway</source>
        <translation>Trotzdem gesendet</translation>
    </message>
    <message>
        <source>Sent by a rule</source>
        <translation>Von einer Regel gesendet</translation>
    </message>
    <message>
        <source>Sent by rule {level}</source>
        <translation>Gesendet durch Regel {level}</translation>
    </message>
    <message>
        <source>The agent's file asked for it, and you confirmed it.</source>
        <translation>Die Datei des Agenten verlangte es, und Sie haben es bestätigt.</translation>
    </message>
    <message>
        <source>The disk is full. Free some space, then export again.</source>
        <translation>Der Datenträger ist voll. Schaffen Sie Platz und exportieren Sie noch einmal.</translation>
    </message>
    <message>
        <source>The file could not be written: {why}. Choose another folder.</source>
        <translation>Die Datei konnte nicht geschrieben werden: {why}. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>This chat does not exist any more.</source>
        <translation>Diesen Chat gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>Too long</source>
        <translation>Zu lang</translation>
    </message>
    <message>
        <source>Undone</source>
        <translation>Rückgängig gemacht</translation>
    </message>
    <message>
        <source>Written by you</source>
        <translation>Von Ihnen geschrieben</translation>
    </message>
    <message>
        <source>Wrong facts</source>
        <translation>Falsche Angaben</translation>
    </message>
    <message>
        <source>Wrong person</source>
        <translation>Falsche Person</translation>
    </message>
    <message>
        <source>Wrong tone</source>
        <translation>Falscher Ton</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>You set it for this chat, {time}.</source>
        <translation>Von Ihnen für diesen Chat eingestellt, {time}.</translation>
    </message>
    <message>
        <source>You set it for this chat.</source>
        <translation>Von Ihnen für diesen Chat eingestellt.</translation>
    </message>
    <message>
        <source>You, with your own text</source>
        <translation>Sie, mit Ihrem eigenen Text</translation>
    </message>
    <message>
        <source>by a rule</source>
        <translation>durch eine Regel</translation>
    </message>
    <message>
        <source>by rule {level}</source>
        <translation>Regel {level}</translation>
    </message>
    <message>
        <source>{approved} approved · {edited} edited · {rejected} rejected · {by_rule} by rule · edit rate {rate}</source>
        <translation>{approved} freigegeben · {edited} geändert · {rejected} abgelehnt · {by_rule} nach Regel · Änderungsquote {rate}</translation>
    </message>
    <message>
        <source>{level} is active for all chats of the agent that have no level of their own.</source>
        <translation>Zurzeit gilt {level}, für alle Chats des Agenten ohne eigene Stufe.</translation>
    </message>
    <message>
        <source>{level} is active in this chat until {time}.</source>
        <translation>In diesem Chat gilt zurzeit {level}, bis {time}.</translation>
    </message>
    <message>
        <source>{level} is active in this chat.</source>
        <translation>In diesem Chat gilt zurzeit {level}.</translation>
    </message>
    <message>
        <source>{percent} %</source>
        <translation>{percent} %</translation>
    </message>
    <message>
        <source>{time}: {kind}, {agent} to {chat}, by {by}: {text}</source>
        <translation>{time}: {kind}, {agent} an {chat}, durch {by}: {text}</translation>
    </message>
</context>
<context>
    <name>DecisionsPane</name>
    <message>
        <source>Decisions</source>
        <translation>Entscheidungen</translation>
    </message>
    <message>
        <source>Decisions can't be loaded. Nothing is lost.</source>
        <translation>Entscheidungen lassen sich nicht lesen. Nichts ist verloren.</translation>
    </message>
    <message>
        <source>Export CSV…</source>
        <translation>CSV exportieren …</translation>
    </message>
    <message>
        <source>Export JSON…</source>
        <translation>JSON exportieren …</translation>
    </message>
    <message>
        <source>Export decisions as CSV…</source>
        <translation>Entscheidungen als CSV exportieren …</translation>
    </message>
    <message>
        <source>Export decisions as JSON…</source>
        <translation>Entscheidungen als JSON exportieren …</translation>
    </message>
    <message>
        <source>Loading decisions…</source>
        <translation>Entscheidungen werden geladen …</translation>
    </message>
    <message>
        <source>No decisions yet</source>
        <translation>Noch keine Entscheidungen</translation>
    </message>
    <message>
        <source>No such decisions</source>
        <translation>Keine passenden Entscheidungen</translation>
    </message>
    <message>
        <source>Nothing to export</source>
        <translation>Nichts zu exportieren</translation>
    </message>
    <message>
        <source>Older decisions can't be loaded: {why}</source>
        <translation>Ältere Entscheidungen lassen sich nicht lesen: {why}</translation>
    </message>
    <message>
        <source>Rule restored</source>
        <translation>Regel wiederhergestellt</translation>
    </message>
    <message>
        <source>Show all decisions</source>
        <translation>Alle Entscheidungen zeigen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Try another agent, chat or kind, or other words.</source>
        <translation>Versuchen Sie einen anderen Agenten, Chat, eine andere Art oder andere Wörter.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>What you or a rule decide is listed here, with your edits.</source>
        <translation>Was Sie oder eine Regel entscheiden, steht hier, mit Ihren Änderungen.</translation>
    </message>
    <message>
        <source>clear filter</source>
        <translation>Filter aufheben</translation>
    </message>
    <message>
        <source>save data</source>
        <translation>Daten speichern</translation>
    </message>
    <message>
        <source>save spreadsheet table</source>
        <translation>Tabelle speichern</translation>
    </message>
</context>
<context>
    <name>DescribeAgainDialog</name>
    <message>
        <source>How should the model describe it?</source>
        <translation>Wie soll das Modell es beschreiben?</translation>
    </message>
    <message>
        <source>Instruction</source>
        <translation>Anweisung</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Neu erzeugen</translation>
    </message>
    <message>
        <source>Your curated text stays. The new AI text is shown below it.</source>
        <translation>Ihr kuratierter Text bleibt. Der neue KI-Text steht darunter.</translation>
    </message>
    <message>
        <source>shorter, and name the animal</source>
        <translation>kürzer, und das Tier nennen</translation>
    </message>
</context>
<context>
    <name>DescribeManyDialog</name>
    <message>
        <source>All files have a text already, or can't be described.</source>
        <translation>Alle Dateien haben schon einen Text oder können nicht beschrieben werden.</translation>
    </message>
    <message numerus="yes">
        <source>Describe %n file(s)</source>
        <translation>
            <numerusform>%n Datei beschreiben</numerusform>
            <numerusform>%n Dateien beschreiben</numerusform>
        </translation>
    </message>
    <message>
        <source>Descriptions by a model are switched off</source>
        <translation>Beschreibungen durch ein Modell sind ausgeschaltet</translation>
    </message>
</context>
<context>
    <name>DescribingBar</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Descriptions</source>
        <translation>Beschreibungen</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>DescriptionDialog</name>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>Instead of the file the persona reads these words. What you write counts from the next prompt.</source>
        <translation>Statt der Datei liest die Persona diese Worte. Was Sie schreiben, gilt ab dem nächsten Prompt.</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Neu erzeugen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Sichern</translation>
    </message>
    <message>
        <source>The description is being read…</source>
        <translation>Die Beschreibung wird gelesen …</translation>
    </message>
    <message>
        <source>The model is asked…</source>
        <translation>Das Modell wird gefragt …</translation>
    </message>
    <message>
        <source>This medium has no file that could be described.</source>
        <translation>Dieses Medium hat keine Datei, die beschrieben werden könnte.</translation>
    </message>
</context>
<context>
    <name>Detail</name>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Delete the curated text?</source>
        <translation>Kuratierten Text löschen?</translation>
    </message>
    <message>
        <source>Delete the curated text…</source>
        <translation>Kuratierten Text löschen …</translation>
    </message>
    <message>
        <source>Move to…</source>
        <translation>Verschieben …</translation>
    </message>
    <message>
        <source>Not met in a chat yet.</source>
        <translation>Noch in keinem Chat gesehen.</translation>
    </message>
    <message>
        <source>Nothing selected</source>
        <translation>Nichts ausgewählt</translation>
    </message>
    <message>
        <source>Only {agent}</source>
        <translation>Nur {agent}</translation>
    </message>
    <message>
        <source>Open the file of the description</source>
        <translation>Datei der Beschreibung öffnen</translation>
    </message>
    <message>
        <source>Promote</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Prompts will use the AI text again, if there is one. You can undo this.</source>
        <translation>Prompts verwenden dann wieder den KI-Text, falls es einen gibt. Das lässt sich rückgängig machen.</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Neu erzeugen</translation>
    </message>
    <message>
        <source>Save, next</source>
        <translation>Sichern, weiter</translation>
    </message>
    <message>
        <source>Select a file to see and edit its description.</source>
        <translation>Wählen Sie eine Datei, um ihre Beschreibung zu sehen und zu bearbeiten.</translation>
    </message>
    <message>
        <source>The model is asked…</source>
        <translation>Das Modell wird gefragt …</translation>
    </message>
    <message>
        <source>There is no curated text that can be moved or deleted.</source>
        <translation>Es gibt keinen kuratierten Text, der verschoben oder gelöscht werden kann.</translation>
    </message>
    <message>
        <source>There is no text yet. Write one, or let the model describe it.</source>
        <translation>Es gibt noch keinen Text. Schreiben Sie einen, oder lassen Sie das Modell beschreiben.</translation>
    </message>
    <message>
        <source>Where it was seen</source>
        <translation>Wo gesehen</translation>
    </message>
</context>
<context>
    <name>DiagnosticsCommands</name>
    <message>
        <source>Diagnostics can be saved once Chimein has started</source>
        <translation>Diagnosedaten lassen sich speichern, sobald Chimein läuft</translation>
    </message>
    <message>
        <source>Diagnostics saved</source>
        <translation>Diagnosedaten gespeichert</translation>
    </message>
    <message>
        <source>Logs and reports are in the log folder; Help opens it.</source>
        <translation>Protokolle und Berichte liegen im Protokollordner; das Menü „Hilfe“ öffnet ihn.</translation>
    </message>
    <message>
        <source>Nothing was saved there. Messages and planned messages are not affected.</source>
        <translation>Dort wurde nichts gespeichert. Nachrichten und geplante Nachrichten sind nicht betroffen.</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Save diagnostics</source>
        <translation>Diagnosedaten speichern</translation>
    </message>
    <message>
        <source>Saving diagnostics…</source>
        <translation>Diagnosedaten werden gespeichert …</translation>
    </message>
    <message>
        <source>Zip files (*.zip)</source>
        <translation>Zip-Dateien (*.zip)</translation>
    </message>
</context>
<context>
    <name>DiffList</name>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
</context>
<context>
    <name>DiffMode</name>
    <message numerus="yes">
        <source>%n part(s) changed</source>
        <translation>
            <numerusform>%n Teil geändert</numerusform>
            <numerusform>%n Teile geändert</numerusform>
        </translation>
    </message>
    <message>
        <source>Arrangement</source>
        <translation>Anordnung</translation>
    </message>
    <message>
        <source>Back to reading</source>
        <translation>Zurück zum Lesen</translation>
    </message>
    <message>
        <source>Change before</source>
        <translation>Vorherige Änderung</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>Vergleichen mit</translation>
    </message>
    <message>
        <source>Diff</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>Falten</translation>
    </message>
    <message>
        <source>It can be compared when another call of this chat is stored.</source>
        <translation>Verglichen werden kann, sobald ein weiterer Aufruf dieses Chats gespeichert ist.</translation>
    </message>
    <message>
        <source>Next change</source>
        <translation>Nächste Änderung</translation>
    </message>
    <message>
        <source>Nothing changed</source>
        <translation>Nichts geändert</translation>
    </message>
    <message>
        <source>Nothing to compare with</source>
        <translation>Nichts zum Vergleichen</translation>
    </message>
    <message>
        <source>Open source</source>
        <translation>Quelle öffnen</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>Seit</translation>
    </message>
    <message>
        <source>The one before</source>
        <translation>Vorherige</translation>
    </message>
    <message>
        <source>The prompts can't be compared</source>
        <translation>Die Prompts können nicht verglichen werden</translation>
    </message>
    <message>
        <source>Unified</source>
        <translation>Untereinander</translation>
    </message>
</context>
<context>
    <name>DifferenceBlock</name>
    <message>
        <source>Difference {number}</source>
        <translation>Unterschied {number}</translation>
    </message>
    <message>
        <source>The entry is left out.</source>
        <translation>Der Eintrag entfällt.</translation>
    </message>
    <message>
        <source>decided</source>
        <translation>entschieden</translation>
    </message>
    <message>
        <source>your turn</source>
        <translation>Sie sind dran</translation>
    </message>
</context>
<context>
    <name>DirectoriesSection</name>
    <message>
        <source>After restart</source>
        <translation>Nach dem Neustart</translation>
    </message>
    <message>
        <source>Agents and prompts</source>
        <translation>Agenten und Prompts</translation>
    </message>
    <message>
        <source>Agents and prompts, number {n}</source>
        <translation>Agenten und Prompts, Nummer {n}</translation>
    </message>
    <message>
        <source>Database, logins and logs</source>
        <translation>Datenbank, Anmeldungen und Protokolle</translation>
    </message>
    <message>
        <source>It could not be saved</source>
        <translation>Konnte nicht gespeichert werden</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open the folder: {title}</source>
        <translation>Ordner öffnen: {title}</translation>
    </message>
    <message>
        <source>Set by the environment variable {name}</source>
        <translation>Die Umgebungsvariable {name} legt sie fest</translation>
    </message>
    <message>
        <source>Start the sandbox with --config DIR to rehearse your own personas</source>
        <translation>Eigene Personas proben: Sandbox mit --config DIR starten</translation>
    </message>
    <message>
        <source>Use another folder…</source>
        <translation>Anderen Ordner verwenden …</translation>
    </message>
    <message>
        <source>directory directories folder path config state agents prompts</source>
        <translation>Verzeichnis Verzeichnisse Ordner Pfad Konfiguration Zustand Agenten Prompts</translation>
    </message>
</context>
<context>
    <name>DocumentDialog</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>DonePage</name>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Open chats</source>
        <translation>Chats öffnen</translation>
    </message>
</context>
<context>
    <name>DraftBubble</name>
    <message numerus="yes">
        <source>%n change(s) in the conversation</source>
        <translation>
            <numerusform>%n Änderung im Gespräch</numerusform>
            <numerusform>%n Änderungen im Gespräch</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n newer message(s)</source>
        <translation>
            <numerusform>%n neuere Nachricht</numerusform>
            <numerusform>%n neuere Nachrichten</numerusform>
        </translation>
    </message>
    <message>
        <source>Writing another version…</source>
        <translation>Eine andere Version wird geschrieben …</translation>
    </message>
    <message>
        <source>You are editing</source>
        <translation>Sie bearbeiten gerade</translation>
    </message>
    <message>
        <source>{agent} to {who}</source>
        <translation>{agent} an {who}</translation>
    </message>
    <message>
        <source>{what} · Hide</source>
        <translation>{what} · Ausblenden</translation>
    </message>
    <message>
        <source>{what} · Show</source>
        <translation>{what} · Anzeigen</translation>
    </message>
</context>
<context>
    <name>DraftButtons</name>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>More: {who}</source>
        <translation>Mehr: {who}</translation>
    </message>
</context>
<context>
    <name>DraftEditor</name>
    <message>
        <source>A version is being written already. Try again when it is there</source>
        <translation>Eine Version wird schon geschrieben; bitte danach noch einmal versuchen</translation>
    </message>
    <message>
        <source>No text yet</source>
        <translation>Noch kein Text</translation>
    </message>
    <message>
        <source>Saving your decision…</source>
        <translation>Ihre Entscheidung wird gespeichert …</translation>
    </message>
    <message>
        <source>The text is too long to send</source>
        <translation>Der Text ist zu lang zum Senden</translation>
    </message>
    <message>
        <source>This text was written for another draft</source>
        <translation>Dieser Text gehört zu einem anderen Entwurf</translation>
    </message>
</context>
<context>
    <name>DraftFields</name>
    <message numerus="yes">
        <source>%Ln character(s): shorten it to {most}</source>
        <translation>
            <numerusform>%Ln Zeichen: auf {most} kürzen</numerusform>
            <numerusform>%Ln Zeichen: auf {most} kürzen</numerusform>
        </translation>
    </message>
    <message>
        <source>An instruction (optional), for example “shorter, and ask about the brother”</source>
        <translation>Eine Anweisung (optional), etwa „kürzer, und nach dem Bruder fragen“</translation>
    </message>
    <message>
        <source>Approve edited text</source>
        <translation>Bearbeiteten Text freigeben</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>No instruction</source>
        <translation>Ohne Anweisung</translation>
    </message>
    <message>
        <source>No reason</source>
        <translation>Ohne Grund</translation>
    </message>
    <message>
        <source>Plan again, {agent} to {who}</source>
        <translation>Neu planen, {agent} an {who}</translation>
    </message>
    <message>
        <source>Reason (optional)</source>
        <translation>Grund (optional)</translation>
    </message>
    <message>
        <source>Reason for rejecting the plan, optional, {agent} to {who}</source>
        <translation>Grund für die Ablehnung des Plans, freiwillig, {agent} an {who}</translation>
    </message>
    <message>
        <source>Reason, optional, {agent} to {who}</source>
        <translation>Grund, freiwillig, {agent} an {who}</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Neu erzeugen</translation>
    </message>
    <message>
        <source>Regenerate, no instruction</source>
        <translation>Neu erzeugen, ohne Anweisung</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>Reject the plan</source>
        <translation>Plan ablehnen</translation>
    </message>
    <message>
        <source>Reject the whole plan, {agent} to {who}</source>
        <translation>Ganzen Plan ablehnen, {agent} an {who}</translation>
    </message>
    <message>
        <source>Reject, no reason</source>
        <translation>Ablehnen, ohne Grund</translation>
    </message>
    <message>
        <source>Reject, {agent} to {who}</source>
        <translation>Ablehnen, {agent} an {who}</translation>
    </message>
    <message>
        <source>Restore draft</source>
        <translation>Entwurf wiederherstellen</translation>
    </message>
    <message>
        <source>Saved. Sending is paused while you edit</source>
        <translation>Gespeichert. Das Senden pausiert so lange</translation>
    </message>
    <message>
        <source>The draft stays as it was. Your text is kept with it.</source>
        <translation>Der Entwurf bleibt, wie er war. Ihr Text bleibt daneben erhalten.</translation>
    </message>
    <message>
        <source>The draft stays until you choose the new version</source>
        <translation>Der Entwurf bleibt, bis Sie die neue Version wählen</translation>
    </message>
    <message numerus="yes">
        <source>The pasted text was %Ln character(s) too long and was cut.</source>
        <translation>
            <numerusform>Der eingefügte Text war %Ln Zeichen zu lang und wurde gekürzt.</numerusform>
            <numerusform>Der eingefügte Text war %Ln Zeichen zu lang und wurde gekürzt.</numerusform>
        </translation>
    </message>
    <message>
        <source>Your text, {agent} to {who}</source>
        <translation>Ihr Text, {agent} an {who}</translation>
    </message>
    <message>
        <source>{agent} sees this when planning the next reply</source>
        <translation>{agent} sieht dies beim Planen der nächsten Antwort</translation>
    </message>
    <message numerus="yes">
        <source>{n} characters: %n message(s)</source>
        <translation>
            <numerusform>{n} Zeichen: %n Nachricht</numerusform>
            <numerusform>{n} Zeichen: %n Nachrichten</numerusform>
        </translation>
    </message>
    <message>
        <source>{n} of {most}</source>
        <translation>{n} von {most}</translation>
    </message>
</context>
<context>
    <name>DraftMenu</name>
    <message>
        <source>Copy the text</source>
        <translation>Text kopieren</translation>
    </message>
    <message>
        <source>Decide later</source>
        <translation>Später entscheiden</translation>
    </message>
    <message>
        <source>In {n} h</source>
        <translation>In {n} h</translation>
    </message>
    <message>
        <source>In {n} min</source>
        <translation>In {n} min</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Neu erzeugen</translation>
    </message>
    <message>
        <source>Regenerate with an instruction…</source>
        <translation>Mit Anweisung neu erzeugen …</translation>
    </message>
    <message>
        <source>Reject the whole plan…</source>
        <translation>Ganzen Plan ablehnen …</translation>
    </message>
    <message>
        <source>Show in Approvals</source>
        <translation>In den Freigaben zeigen</translation>
    </message>
    <message>
        <source>Show in the plan</source>
        <translation>Im Plan zeigen</translation>
    </message>
    <message>
        <source>Stop writing another version</source>
        <translation>Andere Version nicht weiter schreiben</translation>
    </message>
    <message>
        <source>{agent} to {who}</source>
        <translation>{agent} an {who}</translation>
    </message>
</context>
<context>
    <name>DraftStatus</name>
    <message>
        <source>Approved</source>
        <translation>Freigegeben</translation>
    </message>
    <message>
        <source>Approved, not sent</source>
        <translation>Freigegeben, nicht gesendet</translation>
    </message>
    <message>
        <source>Check Telegram first</source>
        <translation>Zuerst in Telegram nachsehen</translation>
    </message>
    <message>
        <source>Checking Telegram…</source>
        <translation>Wird bei Telegram geprüft …</translation>
    </message>
    <message>
        <source>Conversation changed</source>
        <translation>Gespräch geändert</translation>
    </message>
    <message>
        <source>Delivery unknown</source>
        <translation>Zustellung unbekannt</translation>
    </message>
    <message>
        <source>Failed, won't retry</source>
        <translation>Fehlgeschlagen, kein neuer Versuch</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Held, asks again on release</source>
        <translation>Angehalten, fragt nach dem Aufheben</translation>
    </message>
    <message>
        <source>Not sent</source>
        <translation>Nicht gesendet</translation>
    </message>
    <message>
        <source>Partly sent</source>
        <translation>Teilweise gesendet</translation>
    </message>
    <message>
        <source>Planned, not done</source>
        <translation>Geplant, nicht ausgeführt</translation>
    </message>
    <message>
        <source>Planned, not sent</source>
        <translation>Geplant, nicht gesendet</translation>
    </message>
    <message>
        <source>Sending…</source>
        <translation>Wird gesendet …</translation>
    </message>
    <message>
        <source>Your message</source>
        <translation>Ihre Nachricht</translation>
    </message>
    <message>
        <source>{state}, conversation changed</source>
        <translation>{state}, Gespräch geändert</translation>
    </message>
    <message>
        <source>{status_words} unless stopped</source>
        <translation>{status_words} ohne Stopp</translation>
    </message>
</context>
<context>
    <name>DuplicateChoice</name>
    <message>
        <source>If a message is sent twice</source>
        <translation>Wenn eine Nachricht doppelt gesendet wird</translation>
    </message>
</context>
<context>
    <name>EarlierPlans</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Back to plan now</source>
        <translation>Zurück zum jetzigen Plan</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>No answer is planned any more for the messages of this plan.</source>
        <translation>Für die Nachrichten dieses Plans wird keine Antwort mehr geplant.</translation>
    </message>
    <message>
        <source>Older plans…</source>
        <translation>Ältere Pläne…</translation>
    </message>
    <message>
        <source>Plan again</source>
        <translation>Neu planen</translation>
    </message>
    <message>
        <source>Plan now</source>
        <translation>Jetziger Plan</translation>
    </message>
    <message>
        <source>Show message</source>
        <translation>Nachricht zeigen</translation>
    </message>
    <message>
        <source>Show newer plan</source>
        <translation>Neueren Plan zeigen</translation>
    </message>
    <message>
        <source>They are being read.</source>
        <translation>Sie werden gerade gelesen.</translation>
    </message>
</context>
<context>
    <name>EmptyChat</name>
    <message numerus="yes">
        <source>%n chat(s) have unread messages.</source>
        <translation>
            <numerusform>%n Chat hat ungelesene Nachrichten.</numerusform>
            <numerusform>%n Chats haben ungelesene Nachrichten.</numerusform>
        </translation>
    </message>
    <message>
        <source>A chat appears as soon as somebody writes.</source>
        <translation>Ein Chat erscheint, sobald jemand schreibt.</translation>
    </message>
    <message>
        <source>All caught up</source>
        <translation>Alles erledigt</translation>
    </message>
    <message>
        <source>Loading your chats…</source>
        <translation>Chats werden geladen …</translation>
    </message>
    <message>
        <source>Messages, and what is planned, appear here.</source>
        <translation>Hier erscheinen Nachrichten und Geplantes.</translation>
    </message>
    <message>
        <source>No chats match</source>
        <translation>Keine passenden Chats</translation>
    </message>
    <message>
        <source>No chats yet</source>
        <translation>Noch keine Chats</translation>
    </message>
    <message>
        <source>Nothing is unread</source>
        <translation>Nichts ungelesen</translation>
    </message>
    <message>
        <source>Oldest unread</source>
        <translation>Älteste ungelesene</translation>
    </message>
    <message>
        <source>Play a scenario</source>
        <translation>Szenario abspielen</translation>
    </message>
    <message>
        <source>Select a chat</source>
        <translation>Chat auswählen</translation>
    </message>
    <message>
        <source>Show all chats</source>
        <translation>Alle Chats zeigen</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Startet …</translation>
    </message>
    <message>
        <source>The other chats are hidden.</source>
        <translation>Die übrigen Chats sind ausgeblendet.</translation>
    </message>
</context>
<context>
    <name>EntrySide</name>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Merge with the next one</source>
        <translation>Mit dem nächsten zusammenführen</translation>
    </message>
    <message>
        <source>One entry in place of two</source>
        <translation>Ein Eintrag statt zweier</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Text of the memory</source>
        <translation>Text der Erinnerung</translation>
    </message>
</context>
<context>
    <name>Errors</name>
    <message>
        <source>Accounts can't be logged in or out here.</source>
        <translation>Konten lassen sich hier nicht an- oder abmelden.</translation>
    </message>
    <message>
        <source>An internal error occurred. Details are in the log.</source>
        <translation>Ein interner Fehler ist aufgetreten. Einzelheiten stehen im Protokoll.</translation>
    </message>
    <message>
        <source>Files can't be saved in the data folder. Check its disk.</source>
        <translation>Im Datenordner lassen sich keine Dateien speichern. Prüfen Sie den Datenträger.</translation>
    </message>
    <message>
        <source>Files can't be sent here.</source>
        <translation>Hier lassen sich keine Dateien senden.</translation>
    </message>
    <message>
        <source>It no longer exists.</source>
        <translation>Das gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>No answer in time.</source>
        <translation>Es kam nicht rechtzeitig eine Antwort.</translation>
    </message>
    <message>
        <source>Telegram asks to wait with downloads.</source>
        <translation>Telegram bittet, mit Downloads zu warten.</translation>
    </message>
    <message>
        <source>Telegram no longer has this file.</source>
        <translation>Telegram hat diese Datei nicht mehr.</translation>
    </message>
    <message>
        <source>The caption is too long: at most 1,024 characters go with a file.</source>
        <translation>Die Bildunterschrift ist zu lang: Zu einer Datei passen höchstens 1.024 Zeichen.</translation>
    </message>
    <message>
        <source>The disk is full. Free some space, then send the file again.</source>
        <translation>Der Datenträger ist voll. Schaffen Sie Platz und senden Sie die Datei erneut.</translation>
    </message>
    <message>
        <source>The file can't be read. Choose it again.</source>
        <translation>Die Datei kann nicht gelesen werden. Wählen Sie sie noch einmal aus.</translation>
    </message>
    <message>
        <source>The file could not be saved. Check the disk.</source>
        <translation>Die Datei ließ sich nicht speichern. Prüfen Sie den Datenträger.</translation>
    </message>
    <message>
        <source>The file is empty, so it cannot be sent.</source>
        <translation>Die Datei ist leer und kann nicht gesendet werden.</translation>
    </message>
    <message>
        <source>The file is too big to be shown.</source>
        <translation>Die Datei ist zu groß, um gezeigt zu werden.</translation>
    </message>
    <message>
        <source>The file is too large: Telegram takes at most 2 GB.</source>
        <translation>Die Datei ist zu groß: Telegram nimmt höchstens 2 GB an.</translation>
    </message>
    <message>
        <source>The file of this agent is gone. Put it back first.</source>
        <translation>Die Datei dieses Agenten ist weg. Bitte zuerst zurücklegen.</translation>
    </message>
    <message>
        <source>The trust level has changed. Check it, then decide again.</source>
        <translation>Die Vertrauensstufe hat sich geändert. Prüfen Sie sie und entscheiden Sie noch einmal.</translation>
    </message>
    <message>
        <source>This account is not connected.</source>
        <translation>Dieses Konto ist nicht verbunden.</translation>
    </message>
    <message>
        <source>This did not work: “{detail}”</source>
        <translation>Das hat nicht geklappt: „{detail}“</translation>
    </message>
    <message>
        <source>This message has no file.</source>
        <translation>Diese Nachricht hat keine Datei.</translation>
    </message>
    <message>
        <source>This text has no draft any more. You can send it as your own message.</source>
        <translation>Zu diesem Text gibt es keinen Entwurf mehr. Sie können ihn als eigene Nachricht senden.</translation>
    </message>
</context>
<context>
    <name>ExportCard</name>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>As imported</source>
        <translation>Wie importiert</translation>
    </message>
    <message>
        <source>As it is now</source>
        <translation>Wie er jetzt ist</translation>
    </message>
    <message>
        <source>Export as character card</source>
        <translation>Als Charakterkarte exportieren</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>It was not made from a card: its instructions become the description of a new one.</source>
        <translation>Er wurde nicht aus einer Karte gemacht: Seine Anweisungen werden zur Beschreibung einer neuen.</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>Wird geladen …</translation>
    </message>
    <message>
        <source>The file that was imported, byte for byte.</source>
        <translation>Die importierte Datei, Byte für Byte.</translation>
    </message>
    <message>
        <source>The imported card with the name and the instructions of today. All else in it stays.</source>
        <translation>Die importierte Karte mit dem Namen und den Anweisungen von heute. Alles andere in ihr bleibt.</translation>
    </message>
    <message>
        <source>The phone number, memories and chats are not in it.</source>
        <translation>Telefonnummer, Erinnerungen und Chats sind nicht enthalten.</translation>
    </message>
</context>
<context>
    <name>FacetList</name>
    <message>
        <source>Show only</source>
        <translation>Nur zeigen</translation>
    </message>
</context>
<context>
    <name>FactBar</name>
    <message numerus="yes">
        <source>%n account(s) connect again</source>
        <translation>
            <numerusform>%n Konto verbindet sich neu</numerusform>
            <numerusform>%n Konten verbinden sich neu</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n account(s) connect again, first {name} in {time}</source>
        <translation>
            <numerusform>%n Konto verbindet sich neu: {name} in {time}</numerusform>
            <numerusform>%n Konten verbinden sich neu, zuerst {name} in {time}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n account(s) wait for Telegram, at most {time}</source>
        <translation>
            <numerusform>%n Konto wartet auf Telegram, höchstens {time}</numerusform>
            <numerusform>%n Konten warten auf Telegram, höchstens {time}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n agent(s)</source>
        <translation>
            <numerusform>%n Agent</numerusform>
            <numerusform>%n Agenten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n Chat</numerusform>
            <numerusform>%n Chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unread message(s)</source>
        <translation>
            <numerusform>%n ungelesene Nachricht</numerusform>
            <numerusform>%n ungelesene Nachrichten</numerusform>
        </translation>
    </message>
    <message>
        <source>Messages saved</source>
        <translation>Nachrichten gespeichert</translation>
    </message>
    <message>
        <source>Model: {s} s median</source>
        <translation>Modell: Median {s} s</translation>
    </message>
    <message>
        <source>Not everything is saved</source>
        <translation>Nicht alle Änderungen sind gespeichert</translation>
    </message>
    <message>
        <source>Opens Agents</source>
        <translation>Öffnet die Agenten</translation>
    </message>
    <message>
        <source>Sandbox: everything stays on this machine</source>
        <translation>Sandbox: alles bleibt auf diesem Rechner</translation>
    </message>
    <message>
        <source>Sandbox: prompts go to Google, everything else stays on this machine</source>
        <translation>Sandbox: Prompts gehen an Google, alles andere bleibt auf diesem Rechner</translation>
    </message>
    <message>
        <source>Sending stopped on all accounts</source>
        <translation>Senden auf allen Konten angehalten</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>{name} connects again</source>
        <translation>{name} verbindet sich neu</translation>
    </message>
    <message>
        <source>{name} connects again in {time}</source>
        <translation>{name} verbindet sich neu in {time}</translation>
    </message>
    <message>
        <source>{name} waits for Telegram: {time}</source>
        <translation>{name} wartet auf Telegram: {time}</translation>
    </message>
</context>
<context>
    <name>FactsDialog</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>FaultBar</name>
    <message>
        <source>Dismiss this problem</source>
        <translation>Dieses Problem ausblenden</translation>
    </message>
    <message>
        <source>Next problem</source>
        <translation>Nächstes Problem</translation>
    </message>
    <message>
        <source>Previous problem</source>
        <translation>Voriges Problem</translation>
    </message>
    <message>
        <source>Problem: {cause} {remedy}</source>
        <translation>Problem: {cause} {remedy}</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>{place} of {n}</source>
        <translation>{place} von {n}</translation>
    </message>
</context>
<context>
    <name>FaultForm</name>
    <message>
        <source>Account</source>
        <translation>Konto</translation>
    </message>
    <message>
        <source>Active: {what}</source>
        <translation>Aktiv: {what}</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>Chance in percent</source>
        <translation>Wahrscheinlichkeit in Prozent</translation>
    </message>
    <message>
        <source>Close this fault</source>
        <translation>Diese Störung schließen</translation>
    </message>
    <message>
        <source>Done: {what}</source>
        <translation>Erledigt: {what}</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Error code</source>
        <translation>Fehlercode</translation>
    </message>
    <message>
        <source>Error words</source>
        <translation>Fehlertext</translation>
    </message>
    <message>
        <source>How many calls</source>
        <translation>Wie viele Aufrufe</translation>
    </message>
    <message>
        <source>Inject</source>
        <translation>Auslösen</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>Sekunden</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>all accounts</source>
        <translation>alle Konten</translation>
    </message>
    <message>
        <source>any call</source>
        <translation>jeder Aufruf</translation>
    </message>
    <message>
        <source>at random, chance:</source>
        <translation>zufällig, Wahrscheinlichkeit:</translation>
    </message>
    <message>
        <source>on the next calls:</source>
        <translation>bei den nächsten Aufrufen:</translation>
    </message>
    <message>
        <source>until removed</source>
        <translation>bis zum Entfernen</translation>
    </message>
</context>
<context>
    <name>FaultModel</name>
    <message>
        <source>Nothing changed. Try again.</source>
        <translation>Nichts wurde geändert. Bitte erneut versuchen.</translation>
    </message>
</context>
<context>
    <name>FaultWords</name>
    <message>
        <source>A message that can't be read</source>
        <translation>Eine nicht lesbare Nachricht</translation>
    </message>
    <message>
        <source>A second attempt within ten minutes is refused; a later one is sent again.</source>
        <translation>Ein zweiter Versuch binnen zehn Minuten wird abgelehnt; ein späterer wird erneut gesendet.</translation>
    </message>
    <message>
        <source>Account frozen: it may only read</source>
        <translation>Konto eingefroren: es darf nur lesen</translation>
    </message>
    <message>
        <source>Answer after {seconds} s</source>
        <translation>Antwort nach {seconds} s</translation>
    </message>
    <message>
        <source>Answered with the first result</source>
        <translation>Mit dem ersten Ergebnis beantwortet</translation>
    </message>
    <message>
        <source>As on live Telegram: the second attempt gets an error, the first message stands.</source>
        <translation>Wie bei Telegram: der zweite Versuch bekommt einen Fehler, die erste Nachricht bleibt.</translation>
    </message>
    <message>
        <source>Collectible usernames</source>
        <translation>Sammelbare Benutzernamen</translation>
    </message>
    <message>
        <source>Connection and account</source>
        <translation>Verbindung und Konto</translation>
    </message>
    <message>
        <source>Connection cut after the call</source>
        <translation>Verbindung nach dem Aufruf getrennt</translation>
    </message>
    <message>
        <source>Connection cut before the call</source>
        <translation>Verbindung vor dem Aufruf getrennt</translation>
    </message>
    <message>
        <source>Connections cut</source>
        <translation>Verbindungen getrennt</translation>
    </message>
    <message>
        <source>Done, but not answered</source>
        <translation>Ausgeführt, aber nie beantwortet</translation>
    </message>
    <message>
        <source>Duplicate delivered</source>
        <translation>Duplikat zugestellt</translation>
    </message>
    <message>
        <source>Duplicate refused</source>
        <translation>Duplikat abgelehnt</translation>
    </message>
    <message>
        <source>Error {error}</source>
        <translation>Fehler {error}</translation>
    </message>
    <message>
        <source>Flood wait of {seconds} s</source>
        <translation>Flood-Wartezeit von {seconds} s</translation>
    </message>
    <message>
        <source>Forgotten after ten minutes</source>
        <translation>Nach zehn Minuten vergessen</translation>
    </message>
    <message>
        <source>History with three messages</source>
        <translation>Verlauf mit drei Nachrichten</translation>
    </message>
    <message>
        <source>Key forgotten</source>
        <translation>Schlüssel vergessen</translation>
    </message>
    <message>
        <source>Logged out</source>
        <translation>Abgemeldet</translation>
    </message>
    <message>
        <source>Mentions are not marked</source>
        <translation>Erwähnungen sind nicht markiert</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Model answers after {seconds} s</source>
        <translation>Modell antwortet nach {seconds} s</translation>
    </message>
    <message>
        <source>Model answers nothing</source>
        <translation>Modell antwortet nichts</translation>
    </message>
    <message>
        <source>Model answers with a broken body</source>
        <translation>Modell antwortet mit defektem Inhalt</translation>
    </message>
    <message>
        <source>Model blocks the prompt</source>
        <translation>Modell blockiert den Prompt</translation>
    </message>
    <message>
        <source>Model breaks off in the answer</source>
        <translation>Modell bricht in der Antwort ab</translation>
    </message>
    <message>
        <source>Model ends with {reason}, without a reply</source>
        <translation>Modell endet mit {reason}, ohne Antwort</translation>
    </message>
    <message>
        <source>Model error {error}</source>
        <translation>Modellfehler {error}</translation>
    </message>
    <message>
        <source>Model never answers</source>
        <translation>Modell antwortet nie</translation>
    </message>
    <message>
        <source>Model runs out of tokens</source>
        <translation>Modell verbraucht alle Tokens</translation>
    </message>
    <message>
        <source>Model sends thoughts only</source>
        <translation>Modell sendet nur Gedanken</translation>
    </message>
    <message>
        <source>Model stops for safety</source>
        <translation>Modell stoppt aus Sicherheitsgründen</translation>
    </message>
    <message>
        <source>Model's answer holds no reply</source>
        <translation>Antwort des Modells enthält keinen Text</translation>
    </message>
    <message>
        <source>Model's reply is cut off</source>
        <translation>Antwort des Modells ist abgeschnitten</translation>
    </message>
    <message>
        <source>Telegram calls</source>
        <translation>Telegram-Aufrufe</translation>
    </message>
    <message>
        <source>Telegram unavailable for {seconds} s</source>
        <translation>Telegram {seconds} s nicht erreichbar</translation>
    </message>
    <message>
        <source>The second attempt gets the id of the first message. Nothing is sent again.</source>
        <translation>Der zweite Versuch erfährt die ID der ersten Nachricht; nichts wird erneut gesendet.</translation>
    </message>
    <message>
        <source>The worst case: the partner gets the message twice.</source>
        <translation>Der schlimmste Fall: der Partner bekommt die Nachricht doppelt.</translation>
    </message>
    <message>
        <source>Too much missed to catch up</source>
        <translation>Zu viel verpasst, um aufzuholen</translation>
    </message>
    <message>
        <source>Updates come in the short form</source>
        <translation>Aktualisierungen kommen in Kurzform</translation>
    </message>
    <message>
        <source>Updates come out of order</source>
        <translation>Aktualisierungen kommen in falscher Reihenfolge</translation>
    </message>
    <message>
        <source>Updates come twice</source>
        <translation>Aktualisierungen kommen doppelt</translation>
    </message>
    <message>
        <source>Updates come without names</source>
        <translation>Aktualisierungen kommen ohne Namen</translation>
    </message>
    <message>
        <source>Updates from Telegram</source>
        <translation>Aktualisierungen von Telegram</translation>
    </message>
    <message>
        <source>Updates get lost</source>
        <translation>Aktualisierungen gehen verloren</translation>
    </message>
    <message>
        <source>all accounts</source>
        <translation>alle Konten</translation>
    </message>
    <message>
        <source>any call</source>
        <translation>jeder Aufruf</translation>
    </message>
    <message>
        <source>any update</source>
        <translation>jede Aktualisierung</translation>
    </message>
    <message numerus="yes">
        <source>next %n call(s)</source>
        <translation>
            <numerusform>nächster Aufruf</numerusform>
            <numerusform>nächste %n Aufrufe</numerusform>
        </translation>
    </message>
    <message>
        <source>not triggered yet</source>
        <translation>noch nicht ausgelöst</translation>
    </message>
    <message>
        <source>once</source>
        <translation>einmal</translation>
    </message>
    <message numerus="yes">
        <source>triggered %n time(s)</source>
        <translation>
            <numerusform>einmal ausgelöst</numerusform>
            <numerusform>%n-mal ausgelöst</numerusform>
        </translation>
    </message>
    <message>
        <source>until removed</source>
        <translation>bis zum Entfernen</translation>
    </message>
    <message>
        <source>{percent} % of calls</source>
        <translation>{percent} % der Aufrufe</translation>
    </message>
</context>
<context>
    <name>Faults</name>
    <message>
        <source>A chat's address is no longer valid</source>
        <translation>Die Adresse eines Chats ist nicht mehr gültig</translation>
    </message>
    <message>
        <source>A chat's history ends after its three newest messages, until you remove it: answers to older ones point beyond what is stored.</source>
        <translation>Der Verlauf eines Chats endet nach den drei neuesten Nachrichten, bis Sie die Störung entfernen: Antworten auf ältere verweisen auf Nachrichten, die nicht gespeichert sind.</translation>
    </message>
    <message>
        <source>A send that is never answered</source>
        <translation>Ein Senden ohne Antwort</translation>
    </message>
    <message>
        <source>Account banned</source>
        <translation>Konto gesperrt</translation>
    </message>
    <message>
        <source>Account frozen</source>
        <translation>Konto eingefroren</translation>
    </message>
    <message>
        <source>Account limited: PEER_FLOOD</source>
        <translation>Konto eingeschränkt: PEER_FLOOD</translation>
    </message>
    <message>
        <source>Bad JSON</source>
        <translation>Defektes JSON</translation>
    </message>
    <message>
        <source>Bad key (400)</source>
        <translation>Ungültiger Schlüssel (400)</translation>
    </message>
    <message>
        <source>Blocked by the partner</source>
        <translation>Vom Partner blockiert</translation>
    </message>
    <message>
        <source>Collectible usernames</source>
        <translation>Sammelbare Benutzernamen</translation>
    </message>
    <message>
        <source>Connection lost after the send</source>
        <translation>Verbindung nach dem Senden verloren</translation>
    </message>
    <message>
        <source>Connection lost before the send</source>
        <translation>Verbindung vor dem Senden verloren</translation>
    </message>
    <message>
        <source>Connections cut</source>
        <translation>Verbindungen getrennt</translation>
    </message>
    <message>
        <source>Empty answer</source>
        <translation>Leere Antwort</translation>
    </message>
    <message>
        <source>Ended for no given reason (OTHER)</source>
        <translation>Ohne Angabe von Gründen beendet (OTHER)</translation>
    </message>
    <message>
        <source>Every call is answered 5 seconds late, until you remove it.</source>
        <translation>Jeder Aufruf wird 5 Sekunden zu spät beantwortet, bis Sie die Störung entfernen.</translation>
    </message>
    <message>
        <source>Every call is answered by USER_DEACTIVATED_BAN: Telegram has closed the account.</source>
        <translation>Jeder Aufruf wird mit USER_DEACTIVATED_BAN beantwortet: Telegram hat das Konto geschlossen.</translation>
    </message>
    <message>
        <source>Every call is refused because the key is not valid, until you remove it.</source>
        <translation>Jeder Aufruf wird abgelehnt, weil der Schlüssel ungültig ist, bis Sie die Störung entfernen.</translation>
    </message>
    <message>
        <source>Every call is refused because the key may not use the model, until you remove it.</source>
        <translation>Jeder Aufruf wird abgelehnt, weil der Schlüssel das Modell nicht verwenden darf, bis Sie die Störung entfernen.</translation>
    </message>
    <message>
        <source>Flood wait of 30 s on sending</source>
        <translation>Flood-Wartezeit von 30 s beim Senden</translation>
    </message>
    <message>
        <source>Flood wait of an hour on sending</source>
        <translation>Flood-Wartezeit von einer Stunde beim Senden</translation>
    </message>
    <message>
        <source>History with three messages</source>
        <translation>Verlauf mit drei Nachrichten</translation>
    </message>
    <message>
        <source>Internal error of Telegram (500)</source>
        <translation>Interner Fehler bei Telegram (500)</translation>
    </message>
    <message>
        <source>Internal error of the model (500)</source>
        <translation>Interner Fehler des Modells (500)</translation>
    </message>
    <message>
        <source>Key unknown</source>
        <translation>Schlüssel unbekannt</translation>
    </message>
    <message>
        <source>Key without permission (403)</source>
        <translation>Schlüssel ohne Berechtigung (403)</translation>
    </message>
    <message>
        <source>Logged out elsewhere</source>
        <translation>Anderswo abgemeldet</translation>
    </message>
    <message>
        <source>Lost update</source>
        <translation>Aktualisierung verloren</translation>
    </message>
    <message>
        <source>Malformed reply (MALFORMED_RESPONSE)</source>
        <translation>Fehlerhafte Antwort (MALFORMED_RESPONSE)</translation>
    </message>
    <message>
        <source>Mentions that are not marked</source>
        <translation>Nicht markierte Erwähnungen</translation>
    </message>
    <message>
        <source>Message from a newer version</source>
        <translation>Nachricht einer neueren Version</translation>
    </message>
    <message>
        <source>Missed too much</source>
        <translation>Zu viel verpasst</translation>
    </message>
    <message>
        <source>Model asks to wait (429, 20 s)</source>
        <translation>Modell bittet um Geduld (429, 20 s)</translation>
    </message>
    <message>
        <source>Model hangs</source>
        <translation>Modell hängt</translation>
    </message>
    <message>
        <source>Model is slow</source>
        <translation>Modell ist langsam</translation>
    </message>
    <message>
        <source>Model overloaded (503)</source>
        <translation>Modell überlastet (503)</translation>
    </message>
    <message>
        <source>Mute states can't be read</source>
        <translation>Stummschaltungen lassen sich nicht lesen</translation>
    </message>
    <message>
        <source>Mute states come late</source>
        <translation>Stummschaltungen kommen spät</translation>
    </message>
    <message>
        <source>No candidates</source>
        <translation>Keine Kandidaten</translation>
    </message>
    <message>
        <source>One call in twenty loses the connection, until you remove it.</source>
        <translation>Bei jedem zwanzigsten Aufruf geht die Verbindung verloren, bis Sie die Störung entfernen.</translation>
    </message>
    <message>
        <source>Out of tokens (MAX_TOKENS)</source>
        <translation>Tokens aufgebraucht (MAX_TOKENS)</translation>
    </message>
    <message>
        <source>Prompt blocked</source>
        <translation>Prompt blockiert</translation>
    </message>
    <message>
        <source>Reply cut off</source>
        <translation>Antwort abgeschnitten</translation>
    </message>
    <message>
        <source>Reply held back for safety</source>
        <translation>Antwort aus Sicherheitsgründen zurückgehalten</translation>
    </message>
    <message>
        <source>Reply too long (MAX_TOKENS)</source>
        <translation>Antwort zu lang (MAX_TOKENS)</translation>
    </message>
    <message>
        <source>Server restarts</source>
        <translation>Server startet neu</translation>
    </message>
    <message>
        <source>Short updates</source>
        <translation>Aktualisierungen in Kurzform</translation>
    </message>
    <message>
        <source>Slow mode in a group</source>
        <translation>Langsamer Modus in einer Gruppe</translation>
    </message>
    <message>
        <source>Somebody ended all of the account's sessions on another device.</source>
        <translation>Jemand hat auf einem anderen Gerät alle Sitzungen des Kontos beendet.</translation>
    </message>
    <message>
        <source>Telegram does not mark messages of groups that name or answer the account, until you remove it.</source>
        <translation>Telegram markiert Gruppennachrichten, die das Konto nennen oder ihm antworten, nicht, bis Sie die Störung entfernen.</translation>
    </message>
    <message>
        <source>Telegram fails whenever it is asked whether a chat is muted, until you remove it.</source>
        <translation>Die Frage, ob ein Chat stummgeschaltet ist, beantwortet Telegram mit einem Fehler, bis Sie die Störung entfernen.</translation>
    </message>
    <message>
        <source>Telegram goes away and comes back after 5 seconds.</source>
        <translation>Telegram ist 5 Sekunden lang nicht erreichbar.</translation>
    </message>
    <message>
        <source>Telegram has limited the account for writing to too many strangers; every send is refused.</source>
        <translation>Telegram hat das Konto eingeschränkt, weil es zu vielen Fremden schrieb; jedes Senden wird abgelehnt.</translation>
    </message>
    <message>
        <source>Telegram is slow</source>
        <translation>Telegram ist langsam</translation>
    </message>
    <message>
        <source>Telegram lets the account read, and refuses all that it writes, until you remove it.</source>
        <translation>Das Konto darf nur lesen; alles, was es schreibt, lehnt Telegram ab, bis Sie die Störung entfernen.</translation>
    </message>
    <message>
        <source>Telegram no longer knows the account's keys at all.</source>
        <translation>Telegram kennt die Schlüssel des Kontos nicht mehr.</translation>
    </message>
    <message>
        <source>Telegram says 5 seconds late whether a chat is muted, until you remove it.</source>
        <translation>Ob ein Chat stummgeschaltet ist, sagt Telegram 5 Sekunden zu spät, bis Sie die Störung entfernen.</translation>
    </message>
    <message>
        <source>Texts of direct chats and small groups come in Telegram's short form, which names nobody, until you remove it.</source>
        <translation>Texte aus Direktchats und kleinen Gruppen kommen in Telegrams Kurzform, die niemanden nennt, bis Sie die Störung entfernen.</translation>
    </message>
    <message>
        <source>The account's connections break at once.</source>
        <translation>Die Verbindungen des Kontos brechen sofort ab.</translation>
    </message>
    <message>
        <source>The account's username becomes one of two collectible ones. It learns of it when it connects next.</source>
        <translation>Der Benutzername des Kontos wird einer von zwei sammelbaren. Das Konto erfährt es bei der nächsten Verbindung.</translation>
    </message>
    <message>
        <source>The block list can't be read</source>
        <translation>Die Blockierliste lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>The block list comes late</source>
        <translation>Die Blockierliste kommt spät</translation>
    </message>
    <message>
        <source>The connection breaks in the middle of the next reply.</source>
        <translation>Die Verbindung bricht mitten in der nächsten Antwort ab.</translation>
    </message>
    <message>
        <source>The model thinks until its tokens are used up; there is no text.</source>
        <translation>Das Modell denkt, bis seine Tokens aufgebraucht sind; es gibt keinen Text.</translation>
    </message>
    <message>
        <source>The next answer holds no reply at all.</source>
        <translation>Die nächste Rückmeldung enthält überhaupt keine Antwort.</translation>
    </message>
    <message>
        <source>The next message to the account has an object from a newer version, which can't be read.</source>
        <translation>Die nächste Nachricht an das Konto enthält ein Objekt einer neueren Version, das sich nicht lesen lässt.</translation>
    </message>
    <message>
        <source>The next prompt is blocked; there is no reply.</source>
        <translation>Der nächste Prompt wird blockiert; es gibt keine Antwort.</translation>
    </message>
    <message>
        <source>The next reply arrives, but what arrives is broken.</source>
        <translation>Die nächste Antwort kommt an, ist aber defekt.</translation>
    </message>
    <message>
        <source>The next reply ends for reasons of safety, without a word.</source>
        <translation>Die nächste Antwort endet aus Sicherheitsgründen, ohne ein Wort.</translation>
    </message>
    <message>
        <source>The next reply ends in the middle of its last line, because the tokens are used up.</source>
        <translation>Die nächste Antwort endet mitten in ihrer letzten Zeile, weil die Tokens aufgebraucht sind.</translation>
    </message>
    <message>
        <source>The next reply ends with a finish reason that does not exist yet, without a word.</source>
        <translation>Die nächste Antwort endet ohne Text und mit einem Beendigungsgrund, den es noch nicht gibt.</translation>
    </message>
    <message>
        <source>The next reply ends with the finish reason MALFORMED_RESPONSE, without a word.</source>
        <translation>Die nächste Antwort endet ohne Text und mit dem Beendigungsgrund MALFORMED_RESPONSE.</translation>
    </message>
    <message>
        <source>The next reply ends with the finish reason OTHER, without a word.</source>
        <translation>Die nächste Antwort endet ohne Text und mit dem Beendigungsgrund OTHER.</translation>
    </message>
    <message>
        <source>The next reply fails with an internal error.</source>
        <translation>Die nächste Antwort scheitert an einem internen Fehler.</translation>
    </message>
    <message>
        <source>The next reply holds thoughts and no text.</source>
        <translation>Die nächste Antwort enthält Gedanken und keinen Text.</translation>
    </message>
    <message>
        <source>The next reply is empty.</source>
        <translation>Die nächste Antwort ist leer.</translation>
    </message>
    <message>
        <source>The next reply is refused because the model has too much to do.</source>
        <translation>Die nächste Antwort wird verweigert, weil das Modell zu viel zu tun hat.</translation>
    </message>
    <message>
        <source>The next reply is refused because the quota is used up; it asks to wait 20 seconds.</source>
        <translation>Die nächste Antwort wird verweigert, weil das Kontingent aufgebraucht ist, mit der Bitte, 20 Sekunden zu warten.</translation>
    </message>
    <message>
        <source>The next reply never comes.</source>
        <translation>Die nächste Antwort kommt nie.</translation>
    </message>
    <message>
        <source>The next reply takes 20 seconds longer.</source>
        <translation>Die nächste Antwort braucht 20 Sekunden länger.</translation>
    </message>
    <message>
        <source>The next send arrives, and Telegram never says so.</source>
        <translation>Das nächste Senden kommt an, aber Telegram bestätigt es nie.</translation>
    </message>
    <message>
        <source>The next send arrives, but the connection breaks before Telegram says so.</source>
        <translation>Das nächste Senden kommt an, aber vor der Bestätigung bricht die Verbindung ab.</translation>
    </message>
    <message>
        <source>The next send does not arrive: the connection breaks first.</source>
        <translation>Das nächste Senden kommt nicht an: Vorher bricht die Verbindung ab.</translation>
    </message>
    <message>
        <source>The next send fails with an internal error, and nothing is sent.</source>
        <translation>Das nächste Senden scheitert an einem internen Fehler, und nichts wird gesendet.</translation>
    </message>
    <message>
        <source>The next send is refused because the chat allows only one message in 30 seconds.</source>
        <translation>Das nächste Senden wird abgelehnt, weil der Chat nur alle 30 Sekunden eine Nachricht erlaubt.</translation>
    </message>
    <message>
        <source>The next send is refused, and so is every further one for 30 seconds.</source>
        <translation>Das nächste Senden wird abgelehnt, ebenso jedes weitere innerhalb von 30 Sekunden.</translation>
    </message>
    <message>
        <source>The next send is refused, and so is every further one for an hour.</source>
        <translation>Das nächste Senden wird abgelehnt, ebenso jedes weitere innerhalb einer Stunde.</translation>
    </message>
    <message>
        <source>The next send is refused: the address the account has of the chat is an old one.</source>
        <translation>Das nächste Senden wird abgelehnt: Das Konto hat eine veraltete Adresse des Chats.</translation>
    </message>
    <message>
        <source>The next send is refused: the chat does not let the account write.</source>
        <translation>Das nächste Senden wird abgelehnt: Der Chat lässt das Konto nicht schreiben.</translation>
    </message>
    <message>
        <source>The next send is refused: the partner has blocked the account.</source>
        <translation>Das nächste Senden wird abgelehnt: Der Partner hat das Konto blockiert.</translation>
    </message>
    <message>
        <source>The next time the account catches up, Telegram only says that it missed too much.</source>
        <translation>Wenn das Konto das nächste Mal Verpasstes abruft, erfährt es nur, dass es dafür zu viel ist.</translation>
    </message>
    <message>
        <source>The next update to an account arrives after the one that follows it.</source>
        <translation>Die nächste Aktualisierung an ein Konto kommt erst nach der darauffolgenden an.</translation>
    </message>
    <message>
        <source>The next update to an account arrives twice.</source>
        <translation>Die nächste Aktualisierung an ein Konto kommt doppelt an.</translation>
    </message>
    <message>
        <source>The next update to an account does not arrive; it has to notice the gap.</source>
        <translation>Die nächste Aktualisierung an ein Konto kommt nicht an; es muss die Lücke selbst bemerken.</translation>
    </message>
    <message>
        <source>Thoughts only</source>
        <translation>Nur Gedanken</translation>
    </message>
    <message>
        <source>Unknown finish reason</source>
        <translation>Unbekannter Beendigungsgrund</translation>
    </message>
    <message>
        <source>Unstable connection</source>
        <translation>Instabile Verbindung</translation>
    </message>
    <message>
        <source>Update sent twice</source>
        <translation>Aktualisierung doppelt gesendet</translation>
    </message>
    <message>
        <source>Updates come without the people and groups they speak of, until you remove it.</source>
        <translation>Aktualisierungen kommen ohne die Personen und Gruppen, von denen sie handeln, bis Sie die Störung entfernen.</translation>
    </message>
    <message>
        <source>Updates out of order</source>
        <translation>Aktualisierungen in falscher Reihenfolge</translation>
    </message>
    <message>
        <source>Updates without names</source>
        <translation>Aktualisierungen ohne Namen</translation>
    </message>
    <message>
        <source>Whom the account has blocked can't be looked up, until you remove it.</source>
        <translation>Wen das Konto blockiert hat, lässt sich nicht abrufen, bis Sie die Störung entfernen.</translation>
    </message>
    <message>
        <source>Whom the account has blocked is told 4 seconds late, until you remove it.</source>
        <translation>Wen das Konto blockiert hat, sagt Telegram 4 Sekunden zu spät, bis Sie die Störung entfernen.</translation>
    </message>
    <message>
        <source>Writing not allowed</source>
        <translation>Schreiben nicht erlaubt</translation>
    </message>
</context>
<context>
    <name>FaultsPage</name>
    <message>
        <source>No faults here</source>
        <translation>Keine Störungen hier</translation>
    </message>
    <message>
        <source>No such fault</source>
        <translation>Keine solche Störung</translation>
    </message>
    <message>
        <source>Search faults</source>
        <translation>Störungen suchen</translation>
    </message>
    <message>
        <source>Search for another word, or clear the field.</source>
        <translation>Ein anderes Wort suchen oder das Feld leeren.</translation>
    </message>
    <message>
        <source>Search: flood, timeout, 429 …</source>
        <translation>Suche: flood, timeout, 429 …</translation>
    </message>
    <message>
        <source>This sandbox offers no faults.</source>
        <translation>Diese Sandbox bietet keine Störungen.</translation>
    </message>
</context>
<context>
    <name>FileEdit</name>
    <message>
        <source>The file has changed since the prompt was built. Build it again, then apply.</source>
        <translation>Die Datei hat sich geändert, seit der Prompt zusammengesetzt wurde. Setzen Sie ihn neu zusammen und übernehmen Sie dann.</translation>
    </message>
    <message>
        <source>The file has changed since; nothing was undone.</source>
        <translation>Die Datei hat sich seitdem geändert; nichts wurde rückgängig gemacht.</translation>
    </message>
</context>
<context>
    <name>FileProblems</name>
    <message numerus="yes">
        <source>%n problem(s) in files</source>
        <translation>
            <numerusform>%n Problem in einer Datei</numerusform>
            <numerusform>%n Probleme in Dateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weiteres</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FileView</name>
    <message>
        <source>Form</source>
        <translation>Formular</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>the agent is not loaded</source>
        <translation>der Agent ist nicht geladen</translation>
    </message>
    <message>
        <source>the agent runs as last saved</source>
        <translation>der Agent läuft, wie er zuletzt gespeichert wurde</translation>
    </message>
    <message>
        <source>the agent runs on the last good version</source>
        <translation>der Agent läuft mit der letzten guten Fassung</translation>
    </message>
</context>
<context>
    <name>FilesPage</name>
    <message>
        <source>Curated by you</source>
        <translation>Von Ihnen gepflegt</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Entry</source>
        <translation>Eintrag</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>Zusammenführen</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Move to curated</source>
        <translation>Zu den gepflegten verschieben</translation>
    </message>
    <message>
        <source>Move to remembered</source>
        <translation>Zu den gemerkten verschieben</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>No notes on this chat. What you add stands in every prompt of the chat.</source>
        <translation>Keine Notizen zu diesem Chat. Was Sie hinzufügen, steht in jedem Prompt des Chats.</translation>
    </message>
    <message>
        <source>Nothing is remembered for all chats yet.</source>
        <translation>Für alle Chats ist noch nichts gemerkt.</translation>
    </message>
    <message>
        <source>Other side</source>
        <translation>Andere Seite</translation>
    </message>
    <message>
        <source>Other side gets it</source>
        <translation>Auf die andere Seite</translation>
    </message>
    <message>
        <source>Recall test</source>
        <translation>Abruf testen</translation>
    </message>
    <message>
        <source>Remembered</source>
        <translation>Gemerkt</translation>
    </message>
    <message>
        <source>The agent remembers nothing that is for this chat alone.</source>
        <translation>Der Agent hat sich nichts gemerkt, das nur für diesen Chat gilt.</translation>
    </message>
    <message>
        <source>To curated</source>
        <translation>Zu gepflegt</translation>
    </message>
    <message>
        <source>To remembered</source>
        <translation>Zu gemerkt</translation>
    </message>
</context>
<context>
    <name>FilterRow</name>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Filter by name</source>
        <translation>Nach Namen filtern</translation>
    </message>
    <message>
        <source>More filters</source>
        <translation>Weitere Filter</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Name of a chat</source>
        <translation>Name eines Chats</translation>
    </message>
    <message>
        <source>Needs you</source>
        <translation>Für Sie</translation>
    </message>
    <message>
        <source>Unread</source>
        <translation>Ungelesen</translation>
    </message>
    <message>
        <source>Which chats</source>
        <translation>Welche Chats</translation>
    </message>
</context>
<context>
    <name>FirstRun</name>
    <message numerus="yes">
        <source>%n agent(s)</source>
        <translation>
            <numerusform>%n Agent</numerusform>
            <numerusform>%n Agenten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n Problem</numerusform>
            <numerusform>%n Probleme</numerusform>
        </translation>
    </message>
    <message>
        <source>No agent files yet</source>
        <translation>Noch keine Agentendateien</translation>
    </message>
    <message>
        <source>Your first persona will be saved here.</source>
        <translation>Ihre erste Persona wird hier gespeichert.</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weiteres</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FirstRunDialog</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Abschließen</translation>
    </message>
    <message>
        <source>Next: {step}</source>
        <translation>Weiter: {step}</translation>
    </message>
    <message>
        <source>Set up a persona</source>
        <translation>Persona einrichten</translation>
    </message>
    <message>
        <source>Skip for now</source>
        <translation>Vorerst überspringen</translation>
    </message>
    <message>
        <source>Step {n} of {all}</source>
        <translation>Schritt {n} von {all}</translation>
    </message>
</context>
<context>
    <name>FirstRunDirectories</name>
    <message>
        <source>Agents and prompts, written by you</source>
        <translation>Agenten und Prompts, von Ihnen geschrieben</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Wird geprüft …</translation>
    </message>
    <message>
        <source>Chimein uses another folder after the restart</source>
        <translation>Nach dem Neustart verwendet Chimein einen anderen Ordner</translation>
    </message>
    <message>
        <source>Database, logins and logs, written by Chimein</source>
        <translation>Datenbank, Anmeldungen und Protokolle, von Chimein geschrieben</translation>
    </message>
    <message>
        <source>Edit agent files and prompts with any editor. Chimein keeps its own data elsewhere.</source>
        <translation>Agentendateien und Prompts schreiben Sie mit einem beliebigen Editor; Chimein bewahrt Eigenes getrennt davon auf.</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Set by the environment variable {name}</source>
        <translation>Die Umgebungsvariable {name} legt sie fest</translation>
    </message>
    <message>
        <source>They can't be read</source>
        <translation>Nicht lesbar</translation>
    </message>
    <message>
        <source>Use another config folder…</source>
        <translation>Anderen Konfigurationsordner verwenden …</translation>
    </message>
    <message>
        <source>Where your files are</source>
        <translation>Wo Ihre Dateien liegen</translation>
    </message>
    <message>
        <source>Your persona is already in this folder</source>
        <translation>Ihre Persona liegt schon in diesem Ordner</translation>
    </message>
</context>
<context>
    <name>FirstRunKeys</name>
    <message>
        <source>Already saved, ends in {end}</source>
        <translation>Schon gespeichert, endet auf {end}</translation>
    </message>
    <message>
        <source>Connect Gemini and Telegram</source>
        <translation>Gemini und Telegram verbinden</translation>
    </message>
    <message>
        <source>Gemini writes the replies, and Telegram needs an application ID. You can change both in Preferences at any time.</source>
        <translation>Gemini schreibt die Antworten, und Telegram verlangt eine Anwendungs-ID. Beides lässt sich jederzeit in den Einstellungen ändern.</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>No system keychain found</source>
        <translation>Kein Schlüsselbund des Systems gefunden</translation>
    </message>
    <message>
        <source>Saving the keys…</source>
        <translation>Schlüssel werden gespeichert …</translation>
    </message>
    <message>
        <source>Telegram application</source>
        <translation>Telegram-Anwendung</translation>
    </message>
    <message>
        <source>The keys are stored in the system keychain</source>
        <translation>Die Schlüssel liegen im Schlüsselbund des Systems</translation>
    </message>
</context>
<context>
    <name>FirstRunLogin</name>
    <message>
        <source>Go back to write one, or log in later from the Agents pane.</source>
        <translation>Zurückgehen und eine schreiben oder sich später im Bereich „Agenten“ anmelden.</translation>
    </message>
    <message>
        <source>Log in</source>
        <translation>Anmelden</translation>
    </message>
    <message>
        <source>Log in to Telegram</source>
        <translation>Bei Telegram anmelden</translation>
    </message>
    <message>
        <source>Log in…</source>
        <translation>Anmelden …</translation>
    </message>
    <message>
        <source>Log {name} in</source>
        <translation>{name} anmelden</translation>
    </message>
    <message>
        <source>No persona yet</source>
        <translation>Es gibt noch keine Persona</translation>
    </message>
    <message>
        <source>Scan a QR code with the phone, or use the number and a code.</source>
        <translation>QR-Code mit dem Telefon scannen, oder Nummer und Code eingeben.</translation>
    </message>
    <message>
        <source>This computer gets its own login</source>
        <translation>Dieser Computer bekommt eine eigene Anmeldung</translation>
    </message>
    <message>
        <source>You can log out at any time, here or on the phone under Devices. Your password is used once and not stored.</source>
        <translation>Sie lässt sich jederzeit beenden, hier oder auf dem Telefon unter „Geräte“. Ihr Passwort wird nur einmal verwendet.</translation>
    </message>
</context>
<context>
    <name>FirstRunPersona</name>
    <message>
        <source>Create your persona</source>
        <translation>Persona anlegen</translation>
    </message>
    <message>
        <source>First persona</source>
        <translation>Erste Persona</translation>
    </message>
    <message>
        <source>Group: replies in groups only when mentioned</source>
        <translation>Group: antwortet in Gruppen nur, wenn sie erwähnt wird</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Patient: takes its time, answers several messages together</source>
        <translation>Patient: lässt sich Zeit, beantwortet mehrere Nachrichten gemeinsam</translation>
    </message>
    <message>
        <source>Person: warm and brief, answers what was asked first</source>
        <translation>Person: herzlich und knapp, beantwortet zuerst die Frage</translation>
    </message>
    <message>
        <source>Phone number</source>
        <translation>Telefonnummer</translation>
    </message>
    <message>
        <source>Retrieve: looks things up on the web</source>
        <translation>Retrieve: schlägt im Web nach</translation>
    </message>
    <message>
        <source>Role prompts</source>
        <translation>Rollenprompts</translation>
    </message>
    <message>
        <source>Saving the file…</source>
        <translation>Datei wird gespeichert …</translation>
    </message>
    <message>
        <source>Stickers: now and then a sticker instead of words</source>
        <translation>Stickers: ab und zu ein Sticker statt Worten</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>This is saved as a text file. You can change it at any time with any editor.</source>
        <translation>Dies wird als Textdatei gespeichert. Sie können sie jederzeit mit jedem Editor ändern.</translation>
    </message>
    <message>
        <source>Time zone</source>
        <translation>Zeitzone</translation>
    </message>
    <message>
        <source>also the name of its folder</source>
        <translation>auch der Name des Ordners</translation>
    </message>
    <message>
        <source>for its clock and quiet hours</source>
        <translation>für Uhrzeit und Ruhezeiten</translation>
    </message>
    <message>
        <source>international format</source>
        <translation>internationales Format</translation>
    </message>
    <message>
        <source>what all personas share</source>
        <translation>was alle Personas teilen</translation>
    </message>
    <message>
        <source>who it is, how it writes, what it never does</source>
        <translation>wer sie ist, wie sie schreibt, was sie nie tut</translation>
    </message>
</context>
<context>
    <name>FirstRunSafety</name>
    <message>
        <source>Before you start</source>
        <translation>Bevor Sie beginnen</translation>
    </message>
    <message>
        <source>Chimein uses the Telegram API and is part of the Telegram ecosystem. It is unofficial: Telegram has neither made nor approved it.</source>
        <translation>Chimein nutzt die Telegram-API und ist Teil des Telegram-Ökosystems. Es ist inoffiziell: Telegram hat es weder hergestellt noch geprüft.</translation>
    </message>
    <message>
        <source>Safety</source>
        <translation>Sicherheit</translation>
    </message>
</context>
<context>
    <name>FirstRunTrust</name>
    <message>
        <source>Blocking, clearing a conversation and stopping a persona always ask, one by one. F8 holds everything.</source>
        <translation>Blockieren, Leeren eines Gesprächs und Stoppen einer Persona fragen immer, einzeln. F8 hält alles an.</translation>
    </message>
    <message>
        <source>Current level</source>
        <translation>Jetzige Stufe</translation>
    </message>
    <message>
        <source>Drafts are shown, and sent only if you ask for it.</source>
        <translation>Entwürfe werden gemacht und gezeigt, aber nur auf Wunsch gesendet.</translation>
    </message>
    <message>
        <source>Every planned message waits for you, and the first one in a chat always does, whatever the level.</source>
        <translation>Jede geplante Nachricht wartet auf Sie, die erste in einem Chat auf jeder Stufe.</translation>
    </message>
    <message>
        <source>Every planned message waits for your decision.</source>
        <translation>Jede geplante Nachricht wartet auf Ihre Entscheidung.</translation>
    </message>
    <message>
        <source>Everything waits for your review</source>
        <translation>Alles wartet auf Ihre Prüfung</translation>
    </message>
    <message>
        <source>It is sent after {seconds} s unless you stop it.</source>
        <translation>Wird nach {seconds} s gesendet, falls Sie nicht stoppen.</translation>
    </message>
    <message>
        <source>It is sent automatically. After too many in an hour, messages wait for you.</source>
        <translation>Sie wird automatisch gesendet. Nach zu vielen in einer Stunde warten Nachrichten auf Sie.</translation>
    </message>
    <message>
        <source>Messages are stored, and nothing is planned.</source>
        <translation>Nachrichten werden gespeichert, nichts wird geplant.</translation>
    </message>
    <message>
        <source>Who may send</source>
        <translation>Wer senden darf</translation>
    </message>
    <message>
        <source>You approve every message</source>
        <translation>Sie geben jede Nachricht frei</translation>
    </message>
    <message>
        <source>You set for each chat what is sent automatically, in its header. You can change it at any time.</source>
        <translation>Was automatisch gesendet wird, legen Sie für jeden Chat in dessen Kopfzeile fest. Es lässt sich jederzeit ändern.</translation>
    </message>
</context>
<context>
    <name>FirstStep</name>
    <message>
        <source>Loading its people and messages…</source>
        <translation>Menschen und Nachrichten werden geladen …</translation>
    </message>
    <message>
        <source>No account yet</source>
        <translation>Noch kein Konto</translation>
    </message>
    <message>
        <source>Set up a persona to write for you, or try the sandbox first: no account, no key, no internet.</source>
        <translation>Richten Sie eine Persona ein, oder probieren Sie zuerst die Sandbox: ohne Konto, Schlüssel und Internet.</translation>
    </message>
    <message>
        <source>The sandbox is starting</source>
        <translation>Die Sandbox startet</translation>
    </message>
</context>
<context>
    <name>FirstWays</name>
    <message>
        <source>Open an existing folder…</source>
        <translation>Vorhandenen Ordner öffnen …</translation>
    </message>
    <message>
        <source>Set up your first persona</source>
        <translation>Erste Persona einrichten</translation>
    </message>
    <message>
        <source>Try the sandbox</source>
        <translation>Sandbox ausprobieren</translation>
    </message>
</context>
<context>
    <name>FixedPart</name>
    <message>
        <source>Chimein</source>
        <translation>Chimein</translation>
    </message>
    <message numerus="yes">
        <source>about %Ln token(s)</source>
        <translation>
            <numerusform>etwa %Ln Token</numerusform>
            <numerusform>etwa %Ln Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>roles</source>
        <translation>Rollen</translation>
    </message>
    <message>
        <source>stickers</source>
        <translation>Sticker</translation>
    </message>
    <message>
        <source>{tokens} · {price} a call</source>
        <translation>{tokens} · {price} je Aufruf</translation>
    </message>
</context>
<context>
    <name>FixedPartCard</name>
    <message>
        <source>Fixed part of every prompt</source>
        <translation>Fester Teil jedes Prompts</translation>
    </message>
    <message>
        <source>Fixed part of every prompt: {parts}</source>
        <translation>Fester Teil jedes Prompts: {parts}</translation>
    </message>
</context>
<context>
    <name>FollowingSteps</name>
    <message>
        <source>then</source>
        <translation>dann</translation>
    </message>
    <message>
        <source>then {steps}</source>
        <translation>dann {steps}</translation>
    </message>
</context>
<context>
    <name>Ghost</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel this plan; its messages count as answered</source>
        <translation>Diesen Plan abbrechen; die Nachrichten gelten als beantwortet</translation>
    </message>
    <message>
        <source>{agent} is planning…</source>
        <translation>{agent} plant …</translation>
    </message>
    <message>
        <source>{agent} is typing…</source>
        <translation>{agent} schreibt …</translation>
    </message>
</context>
<context>
    <name>Head</name>
    <message>
        <source>Grid</source>
        <translation>Raster</translation>
    </message>
    <message>
        <source>Import a set…</source>
        <translation>Set importieren …</translation>
    </message>
    <message>
        <source>Let everything move</source>
        <translation>Alles bewegen</translation>
    </message>
    <message>
        <source>List</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>Search descriptions, names, sets</source>
        <translation>Beschreibungen, Namen, Sets suchen</translation>
    </message>
    <message>
        <source>Show as</source>
        <translation>Zeigen als</translation>
    </message>
    <message>
        <source>Show only</source>
        <translation>Nur zeigen</translation>
    </message>
    <message>
        <source>Sort</source>
        <translation>Sortieren</translation>
    </message>
    <message>
        <source>Triage</source>
        <translation>Durchsicht</translation>
    </message>
</context>
<context>
    <name>HeldBanner</name>
    <message numerus="yes">
        <source>%n approved message(s) are held.</source>
        <translation>
            <numerusform>%n freigegebene Nachricht wird angehalten.</numerusform>
            <numerusform>%n freigegebene Nachrichten werden angehalten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n planned message(s) wait for you.</source>
        <translation>
            <numerusform>%n geplante Nachricht wartet auf Sie.</numerusform>
            <numerusform>%n geplante Nachrichten warten auf Sie.</numerusform>
        </translation>
    </message>
    <message>
        <source>Agents keep reading and planning.</source>
        <translation>Agenten lesen und planen weiter.</translation>
    </message>
    <message>
        <source>Change the reason…</source>
        <translation>Grund ändern …</translation>
    </message>
    <message>
        <source>Chimein held everything at {time}.</source>
        <translation>Chimein hat um {time} alles angehalten.</translation>
    </message>
    <message>
        <source>Give a reason…</source>
        <translation>Grund angeben …</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Nothing is held any more.</source>
        <translation>Es ist nichts mehr angehalten.</translation>
    </message>
    <message>
        <source>Opens a review of what waits. Nothing is sent yet</source>
        <translation>Öffnet eine Durchsicht. Noch wird nichts gesendet</translation>
    </message>
    <message>
        <source>Release…</source>
        <translation>Aufheben …</translation>
    </message>
    <message>
        <source>Why everything is held</source>
        <translation>Warum alles angehalten ist</translation>
    </message>
    <message>
        <source>Why is everything held? Press Return to save</source>
        <translation>Warum ist alles angehalten? Eingabe speichert</translation>
    </message>
    <message>
        <source>You held everything at {time}.</source>
        <translation>Sie haben um {time} alles angehalten.</translation>
    </message>
</context>
<context>
    <name>HeldCard</name>
    <message>
        <source>Approved while on hold</source>
        <translation>Während des Anhaltens freigegeben</translation>
    </message>
    <message>
        <source>Not decided yet</source>
        <translation>Noch nicht entschieden</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>About Chimein</source>
        <translation>Über Chimein</translation>
    </message>
    <message>
        <source>Chimein uses the Telegram API. It is unofficial.</source>
        <translation>Chimein nutzt die Telegram-API. Es ist inoffiziell.</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Read a message word by word</source>
        <translation>Eine Nachricht Wort für Wort lesen</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>The file could not be opened</source>
        <translation>Die Datei konnte nicht geöffnet werden</translation>
    </message>
    <message>
        <source>The folder could not be opened</source>
        <translation>Der Ordner konnte nicht geöffnet werden</translation>
    </message>
    <message>
        <source>There is no log folder in this run</source>
        <translation>In diesem Lauf gibt es keinen Protokollordner</translation>
    </message>
</context>
<context>
    <name>HistoryList</name>
    <message>
        <source>History of the file</source>
        <translation>Verlauf der Datei</translation>
    </message>
</context>
<context>
    <name>HoldBar</name>
    <message>
        <source>Release. Nothing is sent yet</source>
        <translation>Aufheben. Noch wird nichts gesendet</translation>
    </message>
    <message>
        <source>Release…</source>
        <translation>Aufheben …</translation>
    </message>
    <message>
        <source>You hold this chat: nothing is sent, planning continues</source>
        <translation>Sie halten diesen Chat an: nichts wird gesendet, geplant wird weiter</translation>
    </message>
    <message>
        <source>You hold {agent}: nothing is sent, planning continues</source>
        <translation>Sie halten {agent} an: nichts wird gesendet, geplant wird weiter</translation>
    </message>
</context>
<context>
    <name>HoldSwitch</name>
    <message>
        <source>Everything held</source>
        <translation>Alles angehalten</translation>
    </message>
    <message>
        <source>Everything is held. Key F8 releases</source>
        <translation>Alles ist angehalten. F8 hebt es auf</translation>
    </message>
    <message>
        <source>Hold everything</source>
        <translation>Alles anhalten</translation>
    </message>
    <message>
        <source>Hold everything, {n} in part</source>
        <translation>Alles anhalten, {n} teilweise</translation>
    </message>
    <message>
        <source>Nothing is sent until you release it (F8)</source>
        <translation>Nichts wird gesendet, bis Sie es aufheben (F8)</translation>
    </message>
    <message>
        <source>Nothing is sent until you release it. Key F8</source>
        <translation>Nichts wird gesendet, bis Sie es aufheben. Taste F8</translation>
    </message>
    <message>
        <source>Press to release (F8). Nothing is sent yet. {why}</source>
        <translation>Zum Aufheben drücken (F8). Noch wird nichts gesendet. {why}</translation>
    </message>
</context>
<context>
    <name>ImportCard</name>
    <message>
        <source>Also use what its author tells the model</source>
        <translation>Auch verwenden, was der Urheber dem Modell sagt</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Check what the agent will be told. The card itself is kept, so it can be exported unchanged.</source>
        <translation>Prüfen Sie, was dem Agenten gesagt wird. Die Karte selbst wird behalten und kann unverändert exportiert werden.</translation>
    </message>
    <message>
        <source>Create agent</source>
        <translation>Agenten anlegen</translation>
    </message>
    <message>
        <source>Import character card</source>
        <translation>Charakterkarte importieren</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Phone number</source>
        <translation>Telefonnummer</translation>
    </message>
    <message>
        <source>Role prompts</source>
        <translation>Rollenprompts</translation>
    </message>
    <message>
        <source>Saving the file…</source>
        <translation>Datei wird gespeichert …</translation>
    </message>
    <message>
        <source>international format</source>
        <translation>internationales Format</translation>
    </message>
</context>
<context>
    <name>ImportSetDialog</name>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Import a sticker set</source>
        <translation>Stickerset importieren</translation>
    </message>
    <message>
        <source>Its stickers are listed, so that you can describe them before an agent meets them.</source>
        <translation>Seine Sticker werden gelistet, damit Sie sie beschreiben können, bevor ein Agent ihnen begegnet.</translation>
    </message>
    <message>
        <source>Nothing typed yet</source>
        <translation>Noch nichts eingegeben</translation>
    </message>
    <message>
        <source>Short name or link</source>
        <translation>Kurzname oder Link</translation>
    </message>
    <message>
        <source>Telegram is asked…</source>
        <translation>Telegram wird gefragt …</translation>
    </message>
</context>
<context>
    <name>Incidents</name>
    <message>
        <source>An update to {account}</source>
        <translation>Eine Aktualisierung an {account}</translation>
    </message>
    <message>
        <source>The sandbox starts over. The chats of its people, from another version, are kept in {file}.</source>
        <translation>Die Sandbox beginnt von vorn; die Chats ihrer Personen aus einer anderen Version liegen in {file}.</translation>
    </message>
    <message>
        <source>{method} of somebody not logged in</source>
        <translation>{method} ohne Anmeldung</translation>
    </message>
    <message>
        <source>{method} of {account}</source>
        <translation>{method} von {account}</translation>
    </message>
    <message>
        <source>{what} came in the short form</source>
        <translation>{what} kam in Kurzform</translation>
    </message>
    <message>
        <source>{what} came without marks of mentions</source>
        <translation>{what} kam ohne Markierung von Erwähnungen</translation>
    </message>
    <message>
        <source>{what} came without names</source>
        <translation>{what} kam ohne Namen</translation>
    </message>
    <message>
        <source>{what} got FLOOD_WAIT_{seconds}</source>
        <translation>{what} bekam FLOOD_WAIT_{seconds}</translation>
    </message>
    <message>
        <source>{what} got HTTP {code}</source>
        <translation>{what} bekam HTTP {code}</translation>
    </message>
    <message>
        <source>{what} got a text that is cut off</source>
        <translation>{what} bekam einen abgeschnittenen Text</translation>
    </message>
    <message>
        <source>{what} got an empty answer</source>
        <translation>{what} bekam eine leere Antwort</translation>
    </message>
    <message>
        <source>{what} got broken JSON</source>
        <translation>{what} bekam defektes JSON</translation>
    </message>
    <message>
        <source>{what} got no candidates</source>
        <translation>{what} bekam keine Kandidaten</translation>
    </message>
    <message>
        <source>{what} got no text and the finish reason {message}</source>
        <translation>{what} bekam keinen Text und als Grund {message}</translation>
    </message>
    <message>
        <source>{what} got no text, for reasons of safety</source>
        <translation>{what} bekam aus Sicherheitsgründen keinen Text</translation>
    </message>
    <message>
        <source>{what} got no text: it ran out of tokens</source>
        <translation>{what} bekam keinen Text: die Tokens waren aufgebraucht</translation>
    </message>
    <message>
        <source>{what} got the newest messages of a chat only</source>
        <translation>{what} bekam nur die neuesten Nachrichten eines Chats</translation>
    </message>
    <message>
        <source>{what} got thoughts and no text</source>
        <translation>{what} bekam Gedanken und keinen Text</translation>
    </message>
    <message>
        <source>{what} got {message}</source>
        <translation>{what} bekam {message}</translation>
    </message>
    <message>
        <source>{what} has two collectible usernames now</source>
        <translation>{what} hat jetzt zwei sammelbare Benutzernamen</translation>
    </message>
    <message>
        <source>{what} is answered {seconds} s late</source>
        <translation>{what} wird {seconds} s zu spät beantwortet</translation>
    </message>
    <message>
        <source>{what} is never answered</source>
        <translation>{what} wird nie beantwortet</translation>
    </message>
    <message>
        <source>{what} lost its connections</source>
        <translation>{what} hat die Verbindungen verloren</translation>
    </message>
    <message>
        <source>{what} waits for the one that follows it</source>
        <translation>{what} wartet auf die darauffolgende</translation>
    </message>
    <message>
        <source>{what} was cut off in the middle of the answer</source>
        <translation>{what} brach mitten in der Antwort ab</translation>
    </message>
    <message>
        <source>{what} was executed and is never answered</source>
        <translation>{what} wurde ausgeführt und wird nie beantwortet</translation>
    </message>
    <message>
        <source>{what} was executed, then the connection was cut without an answer</source>
        <translation>{what} wurde ausgeführt, dann brach die Verbindung ohne Antwort ab</translation>
    </message>
    <message>
        <source>{what} was logged out everywhere</source>
        <translation>{what} wurde überall abgemeldet</translation>
    </message>
    <message>
        <source>{what} was lost</source>
        <translation>{what} ging verloren</translation>
    </message>
    <message>
        <source>{what} was not executed: the connection was cut before it</source>
        <translation>{what} wurde nicht ausgeführt: vorher brach die Verbindung ab</translation>
    </message>
    <message>
        <source>{what} was refused: the account is frozen</source>
        <translation>{what} wurde abgelehnt: das Konto ist eingefroren</translation>
    </message>
    <message>
        <source>{what} was refused: the prompt is blocked</source>
        <translation>{what} wurde abgelehnt: der Prompt ist blockiert</translation>
    </message>
    <message>
        <source>{what} was sent twice</source>
        <translation>{what} wurde doppelt gesendet</translation>
    </message>
    <message>
        <source>{what} was told that it missed too much</source>
        <translation>{what} erfuhr nur, dass zu viel verpasst wurde</translation>
    </message>
    <message>
        <source>{what} went away for {seconds} s</source>
        <translation>{what} war {seconds} s lang nicht erreichbar</translation>
    </message>
    <message>
        <source>{what}: its keys are unknown now</source>
        <translation>{what}: die Schlüssel sind jetzt unbekannt</translation>
    </message>
    <message>
        <source>{what}: the next message is from a newer version of Telegram</source>
        <translation>{what}: die nächste Nachricht stammt aus einer neueren Version von Telegram</translation>
    </message>
</context>
<context>
    <name>IndexStatus</name>
    <message>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Rebuild</source>
        <translation>Neu aufbauen</translation>
    </message>
    <message>
        <source>Rebuild the index of memories</source>
        <translation>Den Index der Erinnerungen neu aufbauen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>The files are being read</source>
        <translation>Die Dateien werden gelesen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message numerus="yes">
        <source>%n kept</source>
        <translation>
            <numerusform>%n aufbewahrt</numerusform>
            <numerusform>%n aufbewahrt</numerusform>
        </translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>History · {file}</source>
        <translation>Verlauf · {file}</translation>
    </message>
    <message>
        <source>No version is kept yet. The first change makes one.</source>
        <translation>Noch keine Version aufbewahrt. Die erste Änderung erzeugt eine.</translation>
    </message>
</context>
<context>
    <name>Instruction</name>
    <message>
        <source>How should the new version be?</source>
        <translation>Wie soll die neue Version sein?</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Neu erzeugen</translation>
    </message>
    <message>
        <source>The draft stays until you choose the new one.</source>
        <translation>Der Entwurf bleibt, bis Sie die neue wählen.</translation>
    </message>
    <message>
        <source>shorter, and ask when he has time</source>
        <translation>kürzer, und fragen, wann er Zeit hat</translation>
    </message>
</context>
<context>
    <name>InstructionDialog</name>
    <message>
        <source>Nothing typed yet</source>
        <translation>Noch nichts eingegeben</translation>
    </message>
</context>
<context>
    <name>KeptBlock</name>
    <message>
        <source>Apply to the new draft</source>
        <translation>Auf Entwurf anwenden</translation>
    </message>
    <message>
        <source>Approve my text</source>
        <translation>Meinen Text freigeben</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>Vergleichen …</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Edit saved for this draft</source>
        <translation>Bearbeitung dieses Entwurfs gespeichert</translation>
    </message>
    <message>
        <source>Edit saved: a new plan replaced its draft</source>
        <translation>Bearbeitung gespeichert: ein neuer Plan hat den Entwurf ersetzt</translation>
    </message>
    <message>
        <source>Edit saved; it has no draft any more</source>
        <translation>Bearbeitung gespeichert; es gibt keinen Entwurf mehr</translation>
    </message>
    <message>
        <source>Not sent (observe only)</source>
        <translation>Nicht gesendet (nur beobachten)</translation>
    </message>
    <message>
        <source>Press again to send anyway</source>
        <translation>Noch einmal drücken, um trotzdem zu senden</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>Trotzdem senden</translation>
    </message>
    <message>
        <source>Send this one</source>
        <translation>Diese senden</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Use as message</source>
        <translation>Als Nachricht verwenden</translation>
    </message>
    <message>
        <source>You approved this; it was replaced</source>
        <translation>Von Ihnen freigegeben, aber ersetzt</translation>
    </message>
    <message>
        <source>Your edit was discarded</source>
        <translation>Änderung verworfen</translation>
    </message>
</context>
<context>
    <name>KeyDialog</name>
    <message>
        <source>Gemini API key</source>
        <translation>Gemini-API-Schlüssel</translation>
    </message>
    <message>
        <source>PostgreSQL with pgvector</source>
        <translation>PostgreSQL mit pgvector</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>Wird gespeichert …</translation>
    </message>
    <message>
        <source>Telegram application</source>
        <translation>Telegram-Anwendung</translation>
    </message>
    <message>
        <source>This doesn't look like a key yet</source>
        <translation>Das sieht noch nicht wie ein Schlüssel aus</translation>
    </message>
</context>
<context>
    <name>KeyHelp</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Shortcuts work while Approvals is focused, not while typing. A card must be in view for a moment before a key decides on it.</source>
        <translation>Tastenkürzel wirken, wenn „Freigaben“ den Fokus hat, nicht beim Tippen. Eine Karte muss kurz zu sehen sein, bevor eine Taste über sie entscheidet.</translation>
    </message>
    <message>
        <source>Single-key shortcuts</source>
        <translation>Einzeltasten</translation>
    </message>
</context>
<context>
    <name>KeyInputs</name>
    <message>
        <source>A key has only letters, digits, dots, dashes and underscores, without spaces.</source>
        <translation>Ein Schlüssel hat nur Buchstaben, Ziffern, Punkte, Striche und Unterstriche, keine Leerzeichen.</translation>
    </message>
    <message numerus="yes">
        <source>An API ID has at most %n digit(s) and is not 0.</source>
        <translation>
            <numerusform>Eine API-ID hat höchstens %n Ziffer und ist nicht 0.</numerusform>
            <numerusform>Eine API-ID hat höchstens %n Ziffern und ist nicht 0.</numerusform>
        </translation>
    </message>
    <message>
        <source>An API ID has only digits.</source>
        <translation>Eine API-ID besteht nur aus Ziffern.</translation>
    </message>
    <message>
        <source>An API hash has only the digits 0 to 9 and the letters a to f.</source>
        <translation>Ein API-Hash besteht nur aus den Ziffern 0 bis 9 und den Buchstaben a bis f.</translation>
    </message>
    <message>
        <source>An API hash has {all} hexadecimal characters; this one has {n}.</source>
        <translation>Ein API-Hash hat {all} hexadezimale Zeichen; dieser hat {n}.</translation>
    </message>
    <message>
        <source>Both are needed: the API ID and the API hash.</source>
        <translation>Beide werden benötigt: API-ID und API-Hash.</translation>
    </message>
    <message>
        <source>It looks like postgresql://user:password@host/database, without spaces.</source>
        <translation>Sie sieht aus wie postgresql://Benutzer:Passwort@Rechner/Datenbank, ohne Leerzeichen.</translation>
    </message>
    <message numerus="yes">
        <source>This key looks too short: %n character(s).</source>
        <translation>
            <numerusform>Dieser Schlüssel wirkt zu kurz: %n Zeichen.</numerusform>
            <numerusform>Dieser Schlüssel wirkt zu kurz: %n Zeichen.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KeyLegend</name>
    <message>
        <source>Keys: {keys}</source>
        <translation>Tasten: {keys}</translation>
    </message>
</context>
<context>
    <name>Keycaps</name>
    <message>
        <source>Alt</source>
        <translation>Alt</translation>
    </message>
    <message>
        <source>Ctrl</source>
        <translation>Strg</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Entf</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>Unten</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Rechts</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Umschalt</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>Busy</source>
        <translation>Beschäftigt</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Wird geprüft …</translation>
    </message>
    <message>
        <source>Does not work</source>
        <translation>Funktioniert nicht</translation>
    </message>
    <message>
        <source>Gemini API</source>
        <translation>Gemini-API</translation>
    </message>
    <message>
        <source>Gemini answers in the sandbox, with your key</source>
        <translation>Gemini antwortet in der Sandbox, mit Ihrem Schlüssel</translation>
    </message>
    <message>
        <source>Keys are stored in the system keychain</source>
        <translation>Schlüssel liegen im Schlüsselbund des Systems</translation>
    </message>
    <message>
        <source>No system keychain found</source>
        <translation>Kein Schlüsselbund des Systems gefunden</translation>
    </message>
    <message>
        <source>Not set</source>
        <translation>Nicht gesetzt</translation>
    </message>
    <message>
        <source>PostgreSQL</source>
        <translation>PostgreSQL</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Replace…</source>
        <translation>Ersetzen …</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>Set by an environment variable. Change it there</source>
        <translation>Durch eine Umgebungsvariable festgelegt. Dort ändern</translation>
    </message>
    <message>
        <source>Set…</source>
        <translation>Setzen …</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Startet …</translation>
    </message>
    <message>
        <source>Telegram application</source>
        <translation>Telegram-Anwendung</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Testen</translation>
    </message>
    <message>
        <source>The sandbox needs no keys</source>
        <translation>Die Sandbox braucht keine Schlüssel</translation>
    </message>
    <message>
        <source>These settings stay in the sandbox.</source>
        <translation>Diese Einstellungen bleiben in der Sandbox.</translation>
    </message>
    <message>
        <source>Works</source>
        <translation>Funktioniert</translation>
    </message>
    <message>
        <source>ends in {end}</source>
        <translation>endet auf {end}</translation>
    </message>
    <message>
        <source>environment variable</source>
        <translation>Umgebungsvariable</translation>
    </message>
    <message>
        <source>gemini api key telegram application api_id api_hash keychain secret</source>
        <translation>Gemini API Schlüssel Telegram Anwendung api_id api_hash Schlüsselbund Geheimnis</translation>
    </message>
    <message>
        <source>keychain</source>
        <translation>Schlüsselbund</translation>
    </message>
    <message>
        <source>plans, replies and token counts</source>
        <translation>plant, antwortet, zählt</translation>
    </message>
    <message>
        <source>private file</source>
        <translation>private Datei</translation>
    </message>
    <message>
        <source>the index of memories; optional</source>
        <translation>der Index der Erinnerungen; nicht nötig</translation>
    </message>
    <message>
        <source>until Chimein ends</source>
        <translation>bis Chimein endet</translation>
    </message>
</context>
<context>
    <name>KeysModel</name>
    <message>
        <source>The key could not be checked.</source>
        <translation>Der Schlüssel konnte nicht geprüft werden.</translation>
    </message>
</context>
<context>
    <name>LaneList</name>
    <message>
        <source>What happens next, by time</source>
        <translation>Was als Nächstes geschieht, nach Zeit</translation>
    </message>
</context>
<context>
    <name>LaneRows</name>
    <message>
        <source>chats: {n}</source>
        <translation>Chats: {n}</translation>
    </message>
</context>
<context>
    <name>Later</name>
    <message>
        <source>In 1 hour</source>
        <translation>In 1 Stunde</translation>
    </message>
    <message>
        <source>In 15 minutes</source>
        <translation>In 15 Minuten</translation>
    </message>
    <message>
        <source>This evening, 18:00</source>
        <translation>Heute Abend, 18:00</translation>
    </message>
    <message>
        <source>Tomorrow, 9:00</source>
        <translation>Morgen, 9:00</translation>
    </message>
</context>
<context>
    <name>LaterGroup</name>
    <message numerus="yes">
        <source>%n draft(s) postponed</source>
        <translation>
            <numerusform>%n Entwurf zurückgestellt</numerusform>
            <numerusform>%n Entwürfe zurückgestellt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Later · %n</source>
        <translation>
            <numerusform>Später · %n</numerusform>
            <numerusform>Später · %n</numerusform>
        </translation>
    </message>
    <message>
        <source>The draft to {who} is back</source>
        <translation>Der Entwurf an {who} ist zurück</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>ausgeblendet</translation>
    </message>
    <message>
        <source>shown</source>
        <translation>eingeblendet</translation>
    </message>
</context>
<context>
    <name>LayoutMenu</name>
    <message>
        <source>Delete a layout</source>
        <translation>Anordnung löschen</translation>
    </message>
    <message>
        <source>Layout saved</source>
        <translation>Anordnung gespeichert</translation>
    </message>
    <message>
        <source>My layouts</source>
        <translation>Meine Anordnungen</translation>
    </message>
    <message>
        <source>Name of this layout</source>
        <translation>Name dieser Anordnung</translation>
    </message>
    <message>
        <source>Tab with</source>
        <translation>Als Tab bei</translation>
    </message>
    <message>
        <source>There are too many layouts. Delete one first.</source>
        <translation>Es gibt zu viele Anordnungen. Bitte zuerst eine löschen.</translation>
    </message>
    <message>
        <source>This name belongs to a built-in layout. Choose another.</source>
        <translation>Dieser Name gehört zu einer mitgelieferten Anordnung. Wählen Sie einen anderen.</translation>
    </message>
</context>
<context>
    <name>LineLegend</name>
    <message>
        <source>Lines: {names}</source>
        <translation>Linien: {names}</translation>
    </message>
    <message>
        <source>likely answer</source>
        <translation>wahrscheinliche Antwort</translation>
    </message>
    <message>
        <source>path of the selected message</source>
        <translation>Weg der gewählten Nachricht</translation>
    </message>
    <message>
        <source>reply</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>the 60-minute rule would take it wrongly</source>
        <translation>die 60-Minuten-Regel nähme sie zu Unrecht</translation>
    </message>
</context>
<context>
    <name>LinkDetails</name>
    <message>
        <source>Possible parents</source>
        <translation>Mögliche Bezugsnachrichten</translation>
    </message>
    <message>
        <source>What spoke for {number}</source>
        <translation>Was für {number} sprach</translation>
    </message>
    <message>
        <source>all others</source>
        <translation>alle anderen</translation>
    </message>
    <message>
        <source>none: starts a new topic</source>
        <translation>keine: beginnt ein neues Thema</translation>
    </message>
    <message>
        <source>sum {n}</source>
        <translation>Summe {n}</translation>
    </message>
</context>
<context>
    <name>LinkExplanation</name>
    <message>
        <source>Names addressed</source>
        <translation>Anrede mit Namen</translation>
    </message>
    <message>
        <source>Question, answer</source>
        <translation>Frage, Antwort</translation>
    </message>
    <message>
        <source>Same people</source>
        <translation>Dieselben Personen</translation>
    </message>
    <message>
        <source>Shared words</source>
        <translation>Gemeinsame Wörter</translation>
    </message>
    <message>
        <source>Time between</source>
        <translation>Zeit dazwischen</translation>
    </message>
    <message>
        <source>Turn order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>named</source>
        <translation>genannt</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>{n} back</source>
        <translation>{n} zurück</translation>
    </message>
</context>
<context>
    <name>ListHead</name>
    <message>
        <source>All agents</source>
        <translation>Alle Agenten</translation>
    </message>
    <message>
        <source>Cards of: {agent}</source>
        <translation>Karten von: {agent}</translation>
    </message>
    <message>
        <source>Most urgent first</source>
        <translation>Dringendste zuerst</translation>
    </message>
    <message>
        <source>Newest first</source>
        <translation>Neueste zuerst</translation>
    </message>
    <message>
        <source>Next to be sent</source>
        <translation>Als Nächstes zu senden</translation>
    </message>
    <message>
        <source>Order: {order}</source>
        <translation>Reihenfolge: {order}</translation>
    </message>
</context>
<context>
    <name>Log</name>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n Fehler</numerusform>
            <numerusform>%n Fehler</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n Zeile</numerusform>
            <numerusform>%n Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n time(s) before for this agent, in the lines that are kept</source>
        <translation>
            <numerusform>%n-mal vorher bei diesem Agenten, in den behaltenen Zeilen</numerusform>
            <numerusform>%n-mal vorher bei diesem Agenten, in den behaltenen Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n time(s) before, in the lines that are kept</source>
        <translation>
            <numerusform>%n-mal vorher, in den behaltenen Zeilen</numerusform>
            <numerusform>%n-mal vorher, in den behaltenen Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n Warnung</numerusform>
            <numerusform>%n Warnungen</numerusform>
        </translation>
    </message>
    <message>
        <source>A fault of Chimein, which went on. Save the diagnostics and report it.</source>
        <translation>Ein Fehler von Chimein, das weitergemacht hat. Speichern Sie die Diagnose und melden Sie ihn.</translation>
    </message>
    <message>
        <source>Appeal to Telegram. Until then this account sends nothing; drafts are kept.</source>
        <translation>Legen Sie bei Telegram Einspruch ein. Bis dahin sendet dieses Konto nichts; Entwürfe bleiben erhalten.</translation>
    </message>
    <message>
        <source>Check the connection to the internet. Chimein keeps trying.</source>
        <translation>Prüfen Sie die Verbindung zum Internet. Chimein versucht es weiter.</translation>
    </message>
    <message>
        <source>Check the keys in Preferences. Messages that wait are answered afterwards.</source>
        <translation>Prüfen Sie die Schlüssel in den Einstellungen. Wartende Nachrichten werden danach beantwortet.</translation>
    </message>
    <message>
        <source>Free some space on the disk. Chimein tries again automatically.</source>
        <translation>Schaffen Sie Platz auf der Festplatte. Chimein versucht es automatisch wieder.</translation>
    </message>
    <message>
        <source>It was ended from another device, or by Telegram.</source>
        <translation>Sie wurde von einem anderen Gerät oder von Telegram beendet.</translation>
    </message>
    <message numerus="yes">
        <source>Log in again. Until then this account sends nothing; %n draft(s) are held.</source>
        <translation>
            <numerusform>Melden Sie sich neu an. Bis dahin sendet dieses Konto nichts; %n Entwurf wird zurückgehalten.</numerusform>
            <numerusform>Melden Sie sich neu an. Bis dahin sendet dieses Konto nichts; %n Entwürfe werden zurückgehalten.</numerusform>
        </translation>
    </message>
    <message>
        <source>Log in again. Until then this account sends nothing; drafts are kept.</source>
        <translation>Melden Sie sich neu an. Bis dahin sendet dieses Konto nichts; Entwürfe bleiben.</translation>
    </message>
    <message>
        <source>Nothing: Chimein continued automatically.</source>
        <translation>Nichts: Chimein hat automatisch weitergemacht.</translation>
    </message>
    <message>
        <source>Nothing: Telegram told this account to wait, and sends go out afterwards.</source>
        <translation>Nichts: Telegram lässt dieses Konto warten, danach wird gesendet.</translation>
    </message>
    <message>
        <source>Nothing: this is information.</source>
        <translation>Nichts: Das ist nur eine Information.</translation>
    </message>
    <message>
        <source>Open the account and check its proxy. Chimein keeps trying.</source>
        <translation>Öffnen Sie das Konto und prüfen Sie seinen Proxy. Chimein versucht es weiter.</translation>
    </message>
    <message>
        <source>Open the file and correct it. The last good version stays in use.</source>
        <translation>Öffnen Sie die Datei und berichtigen Sie sie. Die letzte gute Fassung bleibt in Gebrauch.</translation>
    </message>
    <message>
        <source>Telegram limits how much an account asks for and sends in a while.</source>
        <translation>Telegram begrenzt, wie viel ein Konto in einer gewissen Zeit abfragt und sendet.</translation>
    </message>
    <message>
        <source>The message was not answered. The trace of the plan says why; there you can plan again.</source>
        <translation>Die Nachricht wurde nicht beantwortet. Der Trace des Plans sagt, warum; dort können Sie neu planen lassen.</translation>
    </message>
    <message>
        <source>account</source>
        <translation>Konto</translation>
    </message>
    <message>
        <source>chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>costs</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>debug</source>
        <translation>Detail</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>info</source>
        <translation>Info</translation>
    </message>
    <message>
        <source>log in</source>
        <translation>anmelden</translation>
    </message>
    <message>
        <source>media</source>
        <translation>Medien</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Gedächtnis</translation>
    </message>
    <message>
        <source>not before for this agent, in the lines that are kept</source>
        <translation>vorher nicht bei diesem Agenten, in den behaltenen Zeilen</translation>
    </message>
    <message>
        <source>not before, in the lines that are kept</source>
        <translation>vorher nicht, in den behaltenen Zeilen</translation>
    </message>
    <message>
        <source>plan {number}</source>
        <translation>Plan {number}</translation>
    </message>
    <message>
        <source>warn</source>
        <translation>Warnung</translation>
    </message>
    <message numerus="yes">
        <source>{shown} of %n line(s)</source>
        <translation>
            <numerusform>{shown} von %n Zeile</numerusform>
            <numerusform>{shown} von %n Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{size} of {limit} MB, up to %n file(s) kept</source>
        <translation>
            <numerusform>{size} von {limit} MB, bis zu %n Datei wird behalten</numerusform>
            <numerusform>{size} von {limit} MB, bis zu %n Dateien werden behalten</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LogColumns</name>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>Belongs to</source>
        <translation>Gehört zu</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
</context>
<context>
    <name>LogDetail</name>
    <message>
        <source>Cause</source>
        <translation>Ursache</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Log in again…</source>
        <translation>Neu anmelden …</translation>
    </message>
    <message>
        <source>Log line</source>
        <translation>Zeile des Protokolls</translation>
    </message>
    <message>
        <source>Open preferences</source>
        <translation>Einstellungen öffnen</translation>
    </message>
    <message>
        <source>Open {place}</source>
        <translation>{place} öffnen</translation>
    </message>
    <message>
        <source>Same line</source>
        <translation>Dieselbe Zeile</translation>
    </message>
    <message>
        <source>Save diagnostics…</source>
        <translation>Diagnose speichern …</translation>
    </message>
    <message>
        <source>The line as it was written</source>
        <translation>Die Zeile, wie sie geschrieben wurde</translation>
    </message>
    <message>
        <source>What now</source>
        <translation>Was nun</translation>
    </message>
</context>
<context>
    <name>LogHead</name>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>All agents</source>
        <translation>Alle Agenten</translation>
    </message>
    <message>
        <source>All parts</source>
        <translation>Alle Teile</translation>
    </message>
    <message>
        <source>Diagnostics bundle…</source>
        <translation>Diagnosepaket …</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Filter the log</source>
        <translation>Protokoll filtern</translation>
    </message>
    <message>
        <source>Filter: words, agent:Nora, chat:Marta, level:error, part:telegram</source>
        <translation>Filter: Wörter, agent:Nora, chat:Marta, level:error, part:telegram</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Mitlaufen</translation>
    </message>
    <message>
        <source>Info +</source>
        <translation>Info +</translation>
    </message>
    <message>
        <source>Keep the newest line in sight, key F</source>
        <translation>Die neueste Zeile im Blick behalten, Taste F</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>No log file</source>
        <translation>Keine Protokolldatei</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Warnings +</source>
        <translation>Warnungen +</translation>
    </message>
    <message>
        <source>secrets and phone numbers are left out</source>
        <translation>ohne Geheimnisse und Telefonnummern</translation>
    </message>
</context>
<context>
    <name>LogList</name>
    <message>
        <source>Log lines</source>
        <translation>Zeilen des Protokolls</translation>
    </message>
</context>
<context>
    <name>LogPane</name>
    <message numerus="yes">
        <source>%n line(s) exported to {name}</source>
        <translation>
            <numerusform>%n Zeile nach {name} exportiert</numerusform>
            <numerusform>%n Zeilen nach {name} exportiert</numerusform>
        </translation>
    </message>
    <message>
        <source>Export the log</source>
        <translation>Protokoll exportieren</translation>
    </message>
    <message>
        <source>JSON lines (*.jsonl)</source>
        <translation>JSON-Zeilen (*.jsonl)</translation>
    </message>
    <message>
        <source>Lines are kept once Chimein has started.</source>
        <translation>Zeilen werden geführt, sobald Chimein gestartet ist.</translation>
    </message>
    <message>
        <source>No lines match</source>
        <translation>Keine passenden Zeilen</translation>
    </message>
    <message>
        <source>Nothing has been logged yet</source>
        <translation>Noch ist nichts protokolliert</translation>
    </message>
    <message>
        <source>Nothing to export</source>
        <translation>Nichts zu exportieren</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Show all lines</source>
        <translation>Alle Zeilen zeigen</translation>
    </message>
    <message>
        <source>This run keeps no log</source>
        <translation>Dieser Lauf führt kein Protokoll</translation>
    </message>
    <message>
        <source>Try another level, part or agent.</source>
        <translation>Versuchen Sie eine andere Stufe, einen anderen Teil oder Agenten.</translation>
    </message>
    <message>
        <source>Try other words, another level, part or agent.</source>
        <translation>Versuchen Sie andere Wörter, eine andere Stufe, einen anderen Teil oder Agenten.</translation>
    </message>
    <message>
        <source>What Chimein does is listed here, with its problems.</source>
        <translation>Hier steht, was Chimein tut, mit seinen Problemen.</translation>
    </message>
    <message>
        <source>filter</source>
        <translation>filtern</translation>
    </message>
    <message>
        <source>follow</source>
        <translation>mitlaufen</translation>
    </message>
    <message>
        <source>line</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>next error</source>
        <translation>nächster Fehler</translation>
    </message>
    <message>
        <source>open what it belongs to</source>
        <translation>öffnen, wozu sie gehört</translation>
    </message>
    <message>
        <source>trace</source>
        <translation>Trace</translation>
    </message>
</context>
<context>
    <name>Login</name>
    <message numerus="yes">
        <source>%n chat(s) found</source>
        <translation>
            <numerusform>%n Chat gefunden</numerusform>
            <numerusform>%n Chats gefunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) unread</source>
        <translation>
            <numerusform>%n Nachricht ungelesen</numerusform>
            <numerusform>%n Nachrichten ungelesen</numerusform>
        </translation>
    </message>
    <message>
        <source>Also changed</source>
        <translation>Außerdem geändert</translation>
    </message>
    <message>
        <source>Asking Telegram for a code…</source>
        <translation>Ein Code wird bei Telegram angefordert …</translation>
    </message>
    <message>
        <source>Call me with the code</source>
        <translation>Mich mit dem Code anrufen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Checking the code…</source>
        <translation>Der Code wird geprüft …</translation>
    </message>
    <message>
        <source>Checking the password…</source>
        <translation>Das Passwort wird geprüft …</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbindet sich …</translation>
    </message>
    <message>
        <source>Enter the code</source>
        <translation>Code eingeben</translation>
    </message>
    <message>
        <source>Every message waits for you. Change it per chat.</source>
        <translation>Jede Nachricht wartet auf Sie. Für jeden Chat änderbar.</translation>
    </message>
    <message>
        <source>For all chats without a level of their own.</source>
        <translation>Für alle Chats ohne eigene Stufe.</translation>
    </message>
    <message>
        <source>It starts with “{beginning}”.</source>
        <translation>Der Anfang lautet „{beginning}“.</translation>
    </message>
    <message>
        <source>Log in</source>
        <translation>Anmelden</translation>
    </message>
    <message>
        <source>Log in again</source>
        <translation>Erneut anmelden</translation>
    </message>
    <message>
        <source>Log in as {name}</source>
        <translation>Als {name} anmelden</translation>
    </message>
    <message>
        <source>Logging in…</source>
        <translation>Anmeldung läuft …</translation>
    </message>
    <message>
        <source>Name in Telegram: {name}</source>
        <translation>Name in Telegram: {name}</translation>
    </message>
    <message>
        <source>One moment…</source>
        <translation>Einen Moment …</translation>
    </message>
    <message>
        <source>Open Telegram on this account's phone</source>
        <translation>Telegram auf dem Telefon dieses Kontos öffnen</translation>
    </message>
    <message>
        <source>Phrase from the SMS</source>
        <translation>Satz aus der SMS</translation>
    </message>
    <message>
        <source>Saving the session…</source>
        <translation>Die Sitzung wird gespeichert …</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>Wird gespeichert …</translation>
    </message>
    <message>
        <source>Scan this QR code</source>
        <translation>Diesen QR-Code scannen</translation>
    </message>
    <message>
        <source>Send a new code</source>
        <translation>Neuen Code senden</translation>
    </message>
    <message>
        <source>Send it by SMS</source>
        <translation>Per SMS senden</translation>
    </message>
    <message>
        <source>Send it by e-mail</source>
        <translation>Per E-Mail senden</translation>
    </message>
    <message>
        <source>Settings, Devices, Link desktop device</source>
        <translation>Einstellungen, Geräte, Gerät verknüpfen</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Step 1 of 3, phone number</source>
        <translation>Schritt 1 von 3, Telefonnummer</translation>
    </message>
    <message>
        <source>Step 2 of 3</source>
        <translation>Schritt 2 von 3</translation>
    </message>
    <message>
        <source>Step 2 of 3, {way}</source>
        <translation>Schritt 2 von 3, {way}</translation>
    </message>
    <message>
        <source>Step 3 of 3, {way}</source>
        <translation>Schritt 3 von 3, {way}</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Stop logging in?</source>
        <translation>Anmeldung abbrechen?</translation>
    </message>
    <message>
        <source>Telegram API keys</source>
        <translation>Telegram-API-Schlüssel</translation>
    </message>
    <message>
        <source>Telegram is not contacted until then</source>
        <translation>Bis dahin wird Telegram nicht gefragt</translation>
    </message>
    <message>
        <source>Telegram rate limit</source>
        <translation>Wartezeit von Telegram</translation>
    </message>
    <message>
        <source>The agent’s file says {name}</source>
        <translation>In der Agentendatei steht {name}</translation>
    </message>
    <message>
        <source>The code you received will no longer work.</source>
        <translation>Der erhaltene Code gilt dann nicht mehr.</translation>
    </message>
    <message>
        <source>Two-step password</source>
        <translation>Zweistufige Bestätigung</translation>
    </message>
    <message>
        <source>Word from the SMS</source>
        <translation>Wort aus der SMS</translation>
    </message>
    <message>
        <source>a call reads it out</source>
        <translation>ein Anruf liest ihn vor</translation>
    </message>
    <message>
        <source>a phrase, sent by SMS</source>
        <translation>ein Satz, per SMS gesendet</translation>
    </message>
    <message>
        <source>a word, sent by SMS</source>
        <translation>ein Wort, per SMS gesendet</translation>
    </message>
    <message>
        <source>phone ends in {digits}</source>
        <translation>Telefon endet auf {digits}</translation>
    </message>
    <message>
        <source>see fragment.com</source>
        <translation>auf fragment.com zu lesen</translation>
    </message>
    <message>
        <source>sent by SMS</source>
        <translation>per SMS gesendet</translation>
    </message>
    <message>
        <source>sent by Telegram</source>
        <translation>von Telegram gesendet</translation>
    </message>
    <message>
        <source>sent by e-mail</source>
        <translation>per E-Mail gesendet</translation>
    </message>
    <message>
        <source>sent by e-mail to {who}</source>
        <translation>per E-Mail an {who} gesendet</translation>
    </message>
    <message>
        <source>sent to your Telegram app</source>
        <translation>an Ihre Telegram-App gesendet</translation>
    </message>
    <message>
        <source>the QR code was scanned</source>
        <translation>der QR-Code wurde gescannt</translation>
    </message>
    <message>
        <source>the code was right</source>
        <translation>der Code war richtig</translation>
    </message>
    <message>
        <source>the number of the call that comes</source>
        <translation>die Nummer des eingehenden Anrufs</translation>
    </message>
    <message>
        <source>{name} is logged in</source>
        <translation>{name} ist angemeldet</translation>
    </message>
</context>
<context>
    <name>LoginCommands</name>
    <message>
        <source>Log out</source>
        <translation>Abmelden</translation>
    </message>
    <message>
        <source>Log {name} out?</source>
        <translation>{name} abmelden?</translation>
    </message>
    <message>
        <source>This computer is logged out, and nothing is sent or received for the account until you log in again. Chats, drafts and memories are kept.</source>
        <translation>Die Anmeldung auf diesem Computer endet; bis zur nächsten Anmeldung wird für das Konto nichts gesendet oder empfangen. Chats, Entwürfe und Erinnerungen bleiben.</translation>
    </message>
</context>
<context>
    <name>MainMenu</name>
    <message>
        <source>&amp;Contrast</source>
        <translation>&amp;Kontrast</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Layout</source>
        <translation>&amp;Anordnung</translation>
    </message>
    <message>
        <source>&amp;Motion</source>
        <translation>&amp;Bewegung</translation>
    </message>
    <message>
        <source>&amp;Text size</source>
        <translation>&amp;Textgröße</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Design</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>Single &amp;keys</source>
        <translation>&amp;Einzeltasten</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Sandbox — Chimein</source>
        <translation>Sandbox — Chimein</translation>
    </message>
</context>
<context>
    <name>MakingLine</name>
    <message>
        <source>Time since the model was asked</source>
        <translation>Zeit seit der Anfrage an das Modell</translation>
    </message>
    <message>
        <source>Writing another version</source>
        <translation>Eine andere Version wird geschrieben</translation>
    </message>
    <message>
        <source>Writing another version: {words}</source>
        <translation>Eine andere Version wird geschrieben: {words}</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} s</translation>
    </message>
</context>
<context>
    <name>MediaChanges</name>
    <message>
        <source>Description deleted.</source>
        <translation>Beschreibung gelöscht.</translation>
    </message>
    <message>
        <source>Moved to “{place}”.</source>
        <translation>Nach „{place}“ verschoben.</translation>
    </message>
</context>
<context>
    <name>MediaGrid</name>
    <message>
        <source>Media</source>
        <translation>Medien</translation>
    </message>
    <message>
        <source>Show all {count}</source>
        <translation>Alle {count} zeigen</translation>
    </message>
    <message>
        <source>Show one row</source>
        <translation>Eine Zeile zeigen</translation>
    </message>
</context>
<context>
    <name>MediaPane</name>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Describe the set</source>
        <translation>Set beschreiben</translation>
    </message>
    <message>
        <source>Describe “{set}”?</source>
        <translation>„{set}“ beschreiben?</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Everything that is shown is curated.</source>
        <translation>Alles, was gezeigt wird, ist kuratiert.</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Bewegen</translation>
    </message>
    <message>
        <source>Move to</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>No file has all of what is chosen and searched.</source>
        <translation>Keine Datei hat alles, was gewählt und gesucht ist.</translation>
    </message>
    <message>
        <source>No media yet</source>
        <translation>Noch keine Medien</translation>
    </message>
    <message>
        <source>Nothing fits</source>
        <translation>Nichts passt</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Promote</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen …</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Neu erzeugen</translation>
    </message>
    <message>
        <source>Save, next</source>
        <translation>Sichern, weiter</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <source>Show all of the set</source>
        <translation>Das ganze Set zeigen</translation>
    </message>
    <message>
        <source>Stickers, photos and voice messages appear here when an agent meets them.</source>
        <translation>Sticker, Fotos und Sprachnachrichten erscheinen hier, sobald ein Agent ihnen begegnet.</translation>
    </message>
    <message>
        <source>The descriptions are being read.</source>
        <translation>Die Beschreibungen werden gelesen.</translation>
    </message>
    <message>
        <source>Triage</source>
        <translation>Durchsicht</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>{count} to look at</source>
        <translation>{count} zu prüfen</translation>
    </message>
    <message numerus="yes">
        <source>“{set}” is listed, %n new sticker(s).</source>
        <translation>
            <numerusform>„{set}“ ist gelistet, %n neuer Sticker.</numerusform>
            <numerusform>„{set}“ ist gelistet, %n neue Sticker.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MediaWords</name>
    <message numerus="yes">
        <source>%n without a text</source>
        <translation>
            <numerusform>%n ohne Text</numerusform>
            <numerusform>%n ohne Text</numerusform>
        </translation>
    </message>
    <message>
        <source>AI cache</source>
        <translation>KI-Zwischenspeicher</translation>
    </message>
    <message>
        <source>AI text</source>
        <translation>KI-Text</translation>
    </message>
    <message>
        <source>Agents can send it</source>
        <translation>Agenten können ihn senden</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>All agents</source>
        <translation>Alle Agenten</translation>
    </message>
    <message>
        <source>At most {count} are made every {seconds} s.</source>
        <translation>Höchstens {count} entstehen alle {seconds} s.</translation>
    </message>
    <message>
        <source>Can be sent by {agents}</source>
        <translation>Kann gesendet werden von {agents}</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Curated</source>
        <translation>Kuratiert</translation>
    </message>
    <message>
        <source>Descriptions by a model are switched off: Preferences, Models, “Describe media, at most”.</source>
        <translation>Beschreibungen durch ein Modell sind ausgeschaltet: Einstellungen, Modelle, „Medien beschreiben, höchstens“.</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Files of this kind are not described. Write the words yourself.</source>
        <translation>Dateien dieser Art werden nicht beschrieben. Schreiben Sie den Text selbst.</translation>
    </message>
    <message>
        <source>GIFs and videos</source>
        <translation>GIFs und Videos</translation>
    </message>
    <message>
        <source>It costs about {money}.</source>
        <translation>Es kostet etwa {money}.</translation>
    </message>
    <message>
        <source>Its sticker set can't be fetched.</source>
        <translation>Sein Stickerset kann nicht geladen werden.</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Met by</source>
        <translation>Gesehen von</translation>
    </message>
    <message>
        <source>Most used in prompts</source>
        <translation>Am häufigsten in Prompts</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Needs a look</source>
        <translation>Zu prüfen</translation>
    </message>
    <message>
        <source>No agent sends it</source>
        <translation>Kein Agent sendet ihn</translation>
    </message>
    <message>
        <source>No agent sends it: its set is in no agent file</source>
        <translation>Kein Agent sendet ihn: Sein Set steht in keiner Agentendatei</translation>
    </message>
    <message>
        <source>Nobody yet</source>
        <translation>Noch niemand</translation>
    </message>
    <message>
        <source>Not met in a chat</source>
        <translation>In keinem Chat gesehen</translation>
    </message>
    <message>
        <source>Other files</source>
        <translation>Andere Dateien</translation>
    </message>
    <message>
        <source>Photos</source>
        <translation>Fotos</translation>
    </message>
    <message>
        <source>Retry later</source>
        <translation>Später erneut</translation>
    </message>
    <message>
        <source>Seen most recently</source>
        <translation>Zuletzt gesehen</translation>
    </message>
    <message>
        <source>Sending</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>Set</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Stickers</source>
        <translation>Sticker</translation>
    </message>
    <message>
        <source>Telegram does not deliver the file any more.</source>
        <translation>Telegram liefert die Datei nicht mehr.</translation>
    </message>
    <message>
        <source>Telegram or the model's service asked to wait.</source>
        <translation>Telegram oder der Dienst des Modells hat um Geduld gebeten.</translation>
    </message>
    <message>
        <source>The account was not connected.</source>
        <translation>Das Konto war nicht verbunden.</translation>
    </message>
    <message>
        <source>The file could not be stored. Free some space on the disk.</source>
        <translation>Die Datei konnte nicht gespeichert werden. Schaffen Sie Platz auf dem Datenträger.</translation>
    </message>
    <message>
        <source>The file is damaged, or is not what it claims to be.</source>
        <translation>Die Datei ist beschädigt oder nicht, was sie vorgibt zu sein.</translation>
    </message>
    <message>
        <source>The file is too big.</source>
        <translation>Die Datei ist zu groß.</translation>
    </message>
    <message>
        <source>The key of the model does not work. Change it in Preferences.</source>
        <translation>Der Schlüssel des Modells funktioniert nicht. Ändern Sie ihn in den Einstellungen.</translation>
    </message>
    <message>
        <source>The model refused. Write the words yourself.</source>
        <translation>Das Modell hat abgelehnt. Schreiben Sie den Text selbst.</translation>
    </message>
    <message>
        <source>The model said nothing.</source>
        <translation>Das Modell hat nichts geantwortet.</translation>
    </message>
    <message>
        <source>The model's service failed for now.</source>
        <translation>Der Dienst des Modells ist zurzeit gestört.</translation>
    </message>
    <message>
        <source>The persona only knows that something was sent: {what}.</source>
        <translation>Die Persona weiß nur, dass etwas gesendet wurde: {what}.</translation>
    </message>
    <message>
        <source>The persona reads: {text}</source>
        <translation>Die Persona liest: {text}</translation>
    </message>
    <message>
        <source>The price of the model is not known.</source>
        <translation>Der Preis des Modells ist nicht bekannt.</translation>
    </message>
    <message>
        <source>There is no file.</source>
        <translation>Es gibt keine Datei.</translation>
    </message>
    <message>
        <source>Unexpected error. See the log.</source>
        <translation>Unerwarteter Fehler. Siehe Protokoll.</translation>
    </message>
    <message>
        <source>Unsupported</source>
        <translation>Nicht unterstützt</translation>
    </message>
    <message>
        <source>Voice and audio</source>
        <translation>Sprache und Audio</translation>
    </message>
    <message>
        <source>Voice {length}</source>
        <translation>Sprache {length}</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Waiting for AI</source>
        <translation>Wartet auf KI</translation>
    </message>
    <message>
        <source>Waiting for budget</source>
        <translation>Wartet auf Budget</translation>
    </message>
    <message>
        <source>Without a set</source>
        <translation>Ohne Set</translation>
    </message>
    <message>
        <source>animated</source>
        <translation>animiert</translation>
    </message>
    <message>
        <source>can be sent</source>
        <translation>kann gesendet werden</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message numerus="yes">
        <source>in %n prompt(s)</source>
        <translation>
            <numerusform>in %n Prompt</numerusform>
            <numerusform>in %n Prompts</numerusform>
        </translation>
    </message>
    <message>
        <source>partly animated</source>
        <translation>teils animiert</translation>
    </message>
    <message>
        <source>still</source>
        <translation>unbewegt</translation>
    </message>
    <message>
        <source>waiting for the budget of the next tick</source>
        <translation>wartet auf das Budget des nächsten Takts</translation>
    </message>
    <message>
        <source>{count} ×, received</source>
        <translation>{count} ×, empfangen</translation>
    </message>
    <message>
        <source>{count} ×, sent {sent}</source>
        <translation>{count} ×, davon {sent} gesendet</translation>
    </message>
    <message>
        <source>{curated} of {count} curated</source>
        <translation>{curated} von {count} kuratiert</translation>
    </message>
    <message>
        <source>{done} of {count} described</source>
        <translation>{done} von {count} beschrieben</translation>
    </message>
    <message>
        <source>{facet}, {count}</source>
        <translation>{facet}, {count}</translation>
    </message>
    <message>
        <source>{facet}, {count}, chosen</source>
        <translation>{facet}, {count}, gewählt</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} s</translation>
    </message>
</context>
<context>
    <name>MemoryPane</name>
    <message numerus="yes">
        <source>%Ln entry(s)</source>
        <translation>
            <numerusform>%Ln Eintrag</numerusform>
            <numerusform>%Ln Einträge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln without a vector</source>
        <translation>
            <numerusform>%Ln ohne Vektor</numerusform>
            <numerusform>%Ln ohne Vektor</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n added</source>
        <translation>
            <numerusform>%n hinzugefügt</numerusform>
            <numerusform>%n hinzugefügt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n curated</source>
        <translation>
            <numerusform>%n gepflegter</numerusform>
            <numerusform>%n gepflegte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edited</source>
        <translation>
            <numerusform>%n geändert</numerusform>
            <numerusform>%n geändert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n from others</source>
        <translation>
            <numerusform>%n von anderen</numerusform>
            <numerusform>%n von anderen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n remembered</source>
        <translation>
            <numerusform>%n gemerkter</numerusform>
            <numerusform>%n gemerkte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n removed</source>
        <translation>
            <numerusform>%n entfernt</numerusform>
            <numerusform>%n entfernt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n searched</source>
        <translation>
            <numerusform>%n durchsucht</numerusform>
            <numerusform>%n durchsucht</numerusform>
        </translation>
    </message>
    <message>
        <source>Added to memory</source>
        <translation>Erinnerung hinzugefügt</translation>
    </message>
    <message>
        <source>All chats</source>
        <translation>Alle Chats</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>Beides</translation>
    </message>
    <message>
        <source>Choose a chat: what is recalled depends on it.</source>
        <translation>Wählen Sie einen Chat: was abgerufen wird, hängt davon ab.</translation>
    </message>
    <message>
        <source>Conflicts</source>
        <translation>Konflikte</translation>
    </message>
    <message>
        <source>Conflicts {count}</source>
        <translation>Konflikte {count}</translation>
    </message>
    <message>
        <source>Drop</source>
        <translation>Weglassen</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Index: {by} · {entries}</source>
        <translation>Index: {by} · {entries}</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message numerus="yes">
        <source>Learned in the chat with {name}; in this group %n member(s) may read the answers.</source>
        <translation>
            <numerusform>Aus dem Chat mit {name}; in dieser Gruppe kann %n Mitglied die Antworten lesen.</numerusform>
            <numerusform>Aus dem Chat mit {name}; in dieser Gruppe können %n Mitglieder die Antworten lesen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Learned in the chat with {name}; in this group everybody reads the answers.</source>
        <translation>Aus dem Chat mit {name}; in dieser Gruppe lesen alle die Antworten.</translation>
    </message>
    <message>
        <source>Learned in the chat with {name}; the prompts of all other chats hold it, too.</source>
        <translation>Aus dem Chat mit {name}; es steht auch in den Prompts aller anderen Chats.</translation>
    </message>
    <message>
        <source>Learned in the chat with {name}; {reader} may read it in an answer.</source>
        <translation>Aus dem Chat mit {name}; {reader} kann es in einer Antwort lesen.</translation>
    </message>
    <message>
        <source>Line {number} · both changed the same entry</source>
        <translation>Zeile {number} · beide haben denselben Eintrag geändert</translation>
    </message>
    <message>
        <source>Line {number} · new on disk</source>
        <translation>Zeile {number} · neu auf der Platte</translation>
    </message>
    <message>
        <source>Line {number} · only another program changed it</source>
        <translation>Zeile {number} · nur ein anderes Programm hat es geändert</translation>
    </message>
    <message>
        <source>Line {number} · only you changed it</source>
        <translation>Zeile {number} · nur Sie haben es geändert</translation>
    </message>
    <message>
        <source>Line {number} · you changed it, another program removed it</source>
        <translation>Zeile {number} · Sie haben es geändert, ein anderes Programm hat es entfernt</translation>
    </message>
    <message>
        <source>Line {number} · you removed it, another program changed it</source>
        <translation>Zeile {number} · Sie haben es entfernt, ein anderes Programm hat es geändert</translation>
    </message>
    <message>
        <source>Memories can’t be searched here.</source>
        <translation>Hier können Erinnerungen nicht durchsucht werden.</translation>
    </message>
    <message>
        <source>Memories without a vector are found by their words.</source>
        <translation>Erinnerungen ohne Vektor werden über ihre Wörter gefunden.</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Gedächtnis</translation>
    </message>
    <message>
        <source>Memory changed</source>
        <translation>Erinnerung geändert</translation>
    </message>
    <message>
        <source>Memory changed. What another program has changed in the file is kept, too.</source>
        <translation>Erinnerung geändert. Was ein anderes Programm in der Datei geändert hat, bleibt auch.</translation>
    </message>
    <message>
        <source>Memory deleted</source>
        <translation>Erinnerung gelöscht</translation>
    </message>
    <message>
        <source>Mine</source>
        <translation>Meine</translation>
    </message>
    <message>
        <source>Moved to the other side</source>
        <translation>Auf die andere Seite verschoben</translation>
    </message>
    <message>
        <source>On disk</source>
        <translation>Auf der Platte</translation>
    </message>
    <message>
        <source>PostgreSQL: {by} · {entries}</source>
        <translation>PostgreSQL: {by} · {entries}</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>The earlier version is restored</source>
        <translation>Die frühere Version ist wiederhergestellt</translation>
    </message>
    <message>
        <source>The result is written</source>
        <translation>Das Ergebnis ist geschrieben</translation>
    </message>
    <message>
        <source>The search took too long. Try again.</source>
        <translation>Die Suche dauerte zu lange. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Two memories are one now</source>
        <translation>Zwei Erinnerungen sind jetzt eine</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Until then memories are found by their words.</source>
        <translation>Bis dahin werden Erinnerungen über ihre Wörter gefunden.</translation>
    </message>
    <message>
        <source>Until then memories are found by {model}.</source>
        <translation>Bis dahin werden Erinnerungen mit {model} gefunden.</translation>
    </message>
    <message>
        <source>Vectors of {model} are being made.</source>
        <translation>Vektoren von {model} werden gemacht.</translation>
    </message>
    <message>
        <source>Your change is discarded</source>
        <translation>Ihre Änderung ist verworfen</translation>
    </message>
    <message>
        <source>a reply</source>
        <translation>eine Antwort</translation>
    </message>
    <message>
        <source>about the partner</source>
        <translation>über den Partner</translation>
    </message>
    <message>
        <source>always</source>
        <translation>immer</translation>
    </message>
    <message>
        <source>another program</source>
        <translation>ein anderes Programm</translation>
    </message>
    <message>
        <source>below the best {number}</source>
        <translation>hinter den besten {number}</translation>
    </message>
    <message>
        <source>both files</source>
        <translation>beide Dateien</translation>
    </message>
    <message>
        <source>by words alone</source>
        <translation>nur nach Wörtern</translation>
    </message>
    <message>
        <source>conflict</source>
        <translation>Konflikt</translation>
    </message>
    <message>
        <source>curated</source>
        <translation>gepflegt</translation>
    </message>
    <message>
        <source>extraction, accepted by you</source>
        <translation>Auswertung, von Ihnen angenommen</translation>
    </message>
    <message>
        <source>for all chats</source>
        <translation>für alle Chats</translation>
    </message>
    <message>
        <source>from {name}</source>
        <translation>von {name}</translation>
    </message>
    <message>
        <source>global</source>
        <translation>global</translation>
    </message>
    <message>
        <source>hardly fits</source>
        <translation>passt kaum</translation>
    </message>
    <message>
        <source>id {number}</source>
        <translation>ID {number}</translation>
    </message>
    <message>
        <source>in the next prompt</source>
        <translation>im nächsten Prompt</translation>
    </message>
    <message>
        <source>message {number}</source>
        <translation>Nachricht {number}</translation>
    </message>
    <message>
        <source>next · rank {number}</source>
        <translation>nächster · Rang {number}</translation>
    </message>
    <message>
        <source>no entry changed</source>
        <translation>kein Eintrag geändert</translation>
    </message>
    <message>
        <source>nothing yet</source>
        <translation>noch nichts</translation>
    </message>
    <message>
        <source>per partner</source>
        <translation>je Partner</translation>
    </message>
    <message>
        <source>problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>reading files…</source>
        <translation>liest Dateien …</translation>
    </message>
    <message>
        <source>remembered</source>
        <translation>gemerkt</translation>
    </message>
    <message>
        <source>remembered by a reply</source>
        <translation>mit einer Antwort gemerkt</translation>
    </message>
    <message>
        <source>remembered by the reply of plan {number}</source>
        <translation>mit der Antwort von Plan {number} gemerkt</translation>
    </message>
    <message>
        <source>reply of plan {number}</source>
        <translation>Antwort von Plan {number}</translation>
    </message>
    <message>
        <source>same as curated</source>
        <translation>wie gepflegt</translation>
    </message>
    <message>
        <source>source unknown</source>
        <translation>Herkunft unbekannt</translation>
    </message>
    <message numerus="yes">
        <source>stopped, %Ln without a vector</source>
        <translation>
            <numerusform>angehalten, %Ln ohne Vektor</numerusform>
            <numerusform>angehalten, %Ln ohne Vektor</numerusform>
        </translation>
    </message>
    <message>
        <source>the partner asked for it</source>
        <translation>auf Wunsch des Partners</translation>
    </message>
    <message>
        <source>up to date</source>
        <translation>aktuell</translation>
    </message>
    <message>
        <source>words alone</source>
        <translation>nur Wörter</translation>
    </message>
    <message>
        <source>words {score}</source>
        <translation>Wörter {score}</translation>
    </message>
    <message>
        <source>written by you</source>
        <translation>von Ihnen geschrieben</translation>
    </message>
    <message>
        <source>you</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>you restored a version</source>
        <translation>Sie haben eine Version wiederhergestellt</translation>
    </message>
    <message>
        <source>you took a change back</source>
        <translation>Sie haben eine Änderung zurückgenommen</translation>
    </message>
    <message>
        <source>your notes</source>
        <translation>Ihre Notizen</translation>
    </message>
    <message>
        <source>{done} of {entries}…</source>
        <translation>{done} von {entries} …</translation>
    </message>
    <message>
        <source>{file} can’t be read. Nothing is written to it until that is mended. {why}</source>
        <translation>{file} kann nicht gelesen werden. Bis das behoben ist, wird nichts hineingeschrieben. {why}</translation>
    </message>
    <message>
        <source>{number} ms</source>
        <translation>{number} ms</translation>
    </message>
</context>
<context>
    <name>MemoryReview</name>
    <message numerus="yes">
        <source>%n member(s) saw it</source>
        <translation>
            <numerusform>%n Mitglied hat es gesehen</numerusform>
            <numerusform>%n Mitglieder haben es gesehen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other chat(s)</source>
        <translation>
            <numerusform>%n anderer Chat</numerusform>
            <numerusform>%n andere Chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) in each prompt that takes it</source>
        <translation>
            <numerusform>%n Token in jedem Prompt, der sie enthält</numerusform>
            <numerusform>%n Tokens in jedem Prompt, der sie enthält</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n word(s)</source>
        <translation>
            <numerusform>%n Wort</numerusform>
            <numerusform>%n Wörter</numerusform>
        </translation>
    </message>
    <message>
        <source>About {person}</source>
        <translation>Über {person}</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>Angenommen</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>It waits again</source>
        <translation>Sie wartet wieder</translation>
    </message>
    <message>
        <source>Like entry {number}</source>
        <translation>Wie Eintrag {number}</translation>
    </message>
    <message>
        <source>Merged</source>
        <translation>Vereint</translation>
    </message>
    <message>
        <source>Never about this person</source>
        <translation>Nie über diese Person</translation>
    </message>
    <message>
        <source>Never from this chat</source>
        <translation>Nie aus diesem Chat</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>Not remembered</source>
        <translation>Nicht gemerkt</translation>
    </message>
    <message>
        <source>Nothing is proposed about this person any more</source>
        <translation>Über diese Person wird nichts mehr vorgeschlagen</translation>
    </message>
    <message>
        <source>Nothing of this chat is read any more</source>
        <translation>Aus diesem Chat wird nichts mehr gelesen</translation>
    </message>
    <message>
        <source>Reads like an order</source>
        <translation>Liest sich wie eine Anweisung</translation>
    </message>
    <message>
        <source>Rejected</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <source>Remembered</source>
        <translation>Gemerkt</translation>
    </message>
    <message>
        <source>Remembered for all chats</source>
        <translation>Gemerkt für alle Chats</translation>
    </message>
    <message>
        <source>Sensitive</source>
        <translation>Heikel</translation>
    </message>
    <message>
        <source>The chat with {person}</source>
        <translation>Der Chat mit {person}</translation>
    </message>
    <message>
        <source>The message was deleted. Edit the text, or reject it.</source>
        <translation>Die Nachricht wurde gelöscht. Bearbeiten Sie den Text, oder lehnen Sie ab.</translation>
    </message>
    <message>
        <source>The message was edited: what was read stands in it no more. Edit the text, or reject it.</source>
        <translation>Die Nachricht wurde bearbeitet: Was gelesen wurde, steht nicht mehr darin. Bearbeiten Sie den Text, oder lehnen Sie ab.</translation>
    </message>
    <message>
        <source>You have deleted or corrected the same memory. Edit the text, or reject it.</source>
        <translation>Sie haben dieselbe Erinnerung gelöscht oder berichtigt. Bearbeiten Sie den Text, oder lehnen Sie ab.</translation>
    </message>
    <message>
        <source>Your notes on {chat}</source>
        <translation>Ihre Notizen zu {chat}</translation>
    </message>
    <message>
        <source>all members read the answers</source>
        <translation>alle Mitglieder lesen die Antworten</translation>
    </message>
    <message numerus="yes">
        <source>answers read by %n member(s)</source>
        <translation>
            <numerusform>Antworten liest %n Mitglied</numerusform>
            <numerusform>Antworten lesen %n Mitglieder</numerusform>
        </translation>
    </message>
    <message>
        <source>confidence {number}</source>
        <translation>Sicherheit {number}</translation>
    </message>
    <message>
        <source>found {time} by {model}</source>
        <translation>gefunden {time} von {model}</translation>
    </message>
    <message>
        <source>{chat}, where {person} is answered</source>
        <translation>{chat}, wo {person} geantwortet wird</translation>
    </message>
    <message>
        <source>{person} is not in these chats</source>
        <translation>{person} ist nicht in diesen Chats</translation>
    </message>
</context>
<context>
    <name>MergeView</name>
    <message numerus="yes">
        <source>%Ln character(s)</source>
        <translation>
            <numerusform>%Ln Zeichen</numerusform>
            <numerusform>%Ln Zeichen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) need your choice</source>
        <translation>
            <numerusform>%n Stelle offen</numerusform>
            <numerusform>%n Stellen offen</numerusform>
        </translation>
    </message>
    <message>
        <source>Approve result</source>
        <translation>Ergebnis freigeben</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message numerus="yes">
        <source>Choose at %n place(s) first</source>
        <translation>
            <numerusform>Wählen Sie zuerst an %n Stelle</numerusform>
            <numerusform>Wählen Sie zuerst an %n Stellen</numerusform>
        </translation>
    </message>
    <message>
        <source>Discard my edit</source>
        <translation>Meine verwerfen</translation>
    </message>
    <message>
        <source>Earlier draft</source>
        <translation>Früherer Entwurf</translation>
    </message>
    <message>
        <source>First draft</source>
        <translation>Erster Entwurf</translation>
    </message>
    <message>
        <source>First draft: {text}</source>
        <translation>Erster Entwurf: {text}</translation>
    </message>
    <message>
        <source>New draft</source>
        <translation>Neuer Text</translation>
    </message>
    <message>
        <source>No text yet</source>
        <translation>Noch kein Text</translation>
    </message>
    <message>
        <source>Result, sent after you approve</source>
        <translation>Ergebnis, nach Freigabe gesendet</translation>
    </message>
    <message>
        <source>The conversation has changed. Approve again to send the result.</source>
        <translation>Der Verlauf hat sich geändert. Geben Sie das Ergebnis noch einmal frei, um es zu senden.</translation>
    </message>
    <message>
        <source>The new draft has changed. Read the result, then approve it again.</source>
        <translation>Der neue Entwurf hat sich geändert. Lesen Sie das Ergebnis und geben Sie es noch einmal frei.</translation>
    </message>
    <message>
        <source>The text is too long to send</source>
        <translation>Der Text ist zu lang zum Senden</translation>
    </message>
    <message>
        <source>Use this</source>
        <translation>Wählen</translation>
    </message>
    <message>
        <source>Your edit</source>
        <translation>Ihr Text</translation>
    </message>
    <message>
        <source>both changed it</source>
        <translation>von beiden</translation>
    </message>
    <message>
        <source>from the new draft</source>
        <translation>vom neuen Entwurf</translation>
    </message>
    <message>
        <source>from your edit</source>
        <translation>von Ihnen</translation>
    </message>
</context>
<context>
    <name>MessageActions</name>
    <message>
        <source>Only web and Telegram links are opened</source>
        <translation>Nur Web- und Telegram-Links werden geöffnet</translation>
    </message>
    <message>
        <source>Saved as {name}</source>
        <translation>Gespeichert als {name}</translation>
    </message>
    <message>
        <source>The file cannot be opened: {why}</source>
        <translation>Die Datei lässt sich nicht öffnen: {why}</translation>
    </message>
</context>
<context>
    <name>MessageDetails</name>
    <message>
        <source>A hidden sender</source>
        <translation>Ein verborgener Absender</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Contains</source>
        <translation>Enthält</translation>
    </message>
    <message>
        <source>Deleted in Telegram, kept here</source>
        <translation>In Telegram gelöscht, hier erhalten</translation>
    </message>
    <message>
        <source>Edited</source>
        <translation>Bearbeitet</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Forwarded from</source>
        <translation>Weitergeleitet von</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>Message details</source>
        <translation>Nachrichtendetails</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Nummer</translation>
    </message>
    <message>
        <source>Only web and Telegram links are opened</source>
        <translation>Nur Web- und Telegram-Links werden geöffnet</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Gelesen</translation>
    </message>
    <message>
        <source>Revoke</source>
        <translation>Widerrufen</translation>
    </message>
    <message>
        <source>Revoke this rule?</source>
        <translation>Diese Regel widerrufen?</translation>
    </message>
    <message>
        <source>Revoke this rule…</source>
        <translation>Diese Regel widerrufen …</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>Gesendet</translation>
    </message>
    <message>
        <source>Sent by</source>
        <translation>Gesendet durch</translation>
    </message>
    <message>
        <source>Sent, not read yet</source>
        <translation>Gesendet, noch nicht gelesen</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Sticker set</source>
        <translation>Stickerset</translation>
    </message>
    <message>
        <source>{day}, {time}</source>
        <translation>{day}, {time}</translation>
    </message>
    <message>
        <source>{who}, written {when}</source>
        <translation>{who}, geschrieben {when}</translation>
    </message>
</context>
<context>
    <name>MessageLine</name>
    <message>
        <source>being answered</source>
        <translation>dies wird beantwortet</translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>gelöscht</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>bearbeitet</translation>
    </message>
    <message>
        <source>new</source>
        <translation>neu</translation>
    </message>
</context>
<context>
    <name>MessageText</name>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
</context>
<context>
    <name>MessageWords</name>
    <message numerus="yes">
        <source>%n byte(s)</source>
        <translation>
            <numerusform>%n Byte</numerusform>
            <numerusform>%n Bytes</numerusform>
        </translation>
    </message>
    <message>
        <source>Audio</source>
        <translation>Audio</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>Anruf</translation>
    </message>
    <message>
        <source>Checklist</source>
        <translation>Checkliste</translation>
    </message>
    <message>
        <source>Contact</source>
        <translation>Kontakt</translation>
    </message>
    <message>
        <source>Deleted message</source>
        <translation>Gelöschte Nachricht</translation>
    </message>
    <message>
        <source>Dice</source>
        <translation>Würfel</translation>
    </message>
    <message>
        <source>Empty message</source>
        <translation>Leere Nachricht</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>GIF</source>
        <translation>GIF</translation>
    </message>
    <message>
        <source>Game</source>
        <translation>Spiel</translation>
    </message>
    <message>
        <source>Giveaway</source>
        <translation>Verlosung</translation>
    </message>
    <message>
        <source>Invoice</source>
        <translation>Rechnung</translation>
    </message>
    <message>
        <source>It is a supergroup from here on</source>
        <translation>Von hier an ist es eine Supergruppe</translation>
    </message>
    <message>
        <source>Location</source>
        <translation>Standort</translation>
    </message>
    <message>
        <source>Paid media</source>
        <translation>Bezahlte Medien</translation>
    </message>
    <message>
        <source>Photo</source>
        <translation>Foto</translation>
    </message>
    <message>
        <source>Poll</source>
        <translation>Umfrage</translation>
    </message>
    <message>
        <source>Service message</source>
        <translation>Dienstnachricht</translation>
    </message>
    <message>
        <source>Service message: {kind}</source>
        <translation>Dienstnachricht: {kind}</translation>
    </message>
    <message>
        <source>Someone</source>
        <translation>Jemand</translation>
    </message>
    <message>
        <source>Something this version cannot show ({kind})</source>
        <translation>Etwas, das diese Version nicht zeigen kann ({kind})</translation>
    </message>
    <message>
        <source>Sticker</source>
        <translation>Sticker</translation>
    </message>
    <message>
        <source>Story</source>
        <translation>Story</translation>
    </message>
    <message>
        <source>The conversation was cleared</source>
        <translation>Das Gespräch wurde geleert</translation>
    </message>
    <message>
        <source>The group became a supergroup</source>
        <translation>Die Gruppe wurde zur Supergruppe</translation>
    </message>
    <message>
        <source>Video</source>
        <translation>Video</translation>
    </message>
    <message>
        <source>Video message</source>
        <translation>Videonachricht</translation>
    </message>
    <message>
        <source>Voice message</source>
        <translation>Sprachnachricht</translation>
    </message>
    <message>
        <source>deleted {time}</source>
        <translation>gelöscht {time}</translation>
    </message>
    <message>
        <source>edited {time}</source>
        <translation>bearbeitet {time}</translation>
    </message>
    <message>
        <source>{who} added someone to the group</source>
        <translation>{who} hat jemanden in die Gruppe geholt</translation>
    </message>
    <message>
        <source>{who} changed the name of the group</source>
        <translation>{who} hat den Namen der Gruppe geändert</translation>
    </message>
    <message>
        <source>{who} changed the photo of the group</source>
        <translation>{who} hat das Foto der Gruppe geändert</translation>
    </message>
    <message>
        <source>{who} created the group</source>
        <translation>{who} hat die Gruppe erstellt</translation>
    </message>
    <message>
        <source>{who} joined Telegram</source>
        <translation>{who} ist jetzt bei Telegram</translation>
    </message>
    <message>
        <source>{who} joined by a link</source>
        <translation>{who} ist über einen Link beigetreten</translation>
    </message>
    <message>
        <source>{who} joined the group</source>
        <translation>{who} ist der Gruppe beigetreten</translation>
    </message>
    <message>
        <source>{who} left the group</source>
        <translation>{who} hat die Gruppe verlassen</translation>
    </message>
    <message>
        <source>{who} pinned a message</source>
        <translation>{who} hat eine Nachricht angeheftet</translation>
    </message>
    <message>
        <source>{who} removed someone from the group</source>
        <translation>{who} hat jemanden aus der Gruppe entfernt</translation>
    </message>
    <message>
        <source>{who} removed the photo of the group</source>
        <translation>{who} hat das Foto der Gruppe entfernt</translation>
    </message>
    <message>
        <source>{who} took a screenshot</source>
        <translation>{who} hat ein Bildschirmfoto gemacht</translation>
    </message>
</context>
<context>
    <name>ModelChoice</name>
    <message>
        <source>Answers are written beforehand and stay on this computer. Nothing is paid.</source>
        <translation>Die Antworten sind vorbereitet und bleiben auf diesem Computer. Nichts wird bezahlt.</translation>
    </message>
    <message>
        <source>Gemini answers with your key: prompts go to Google, and each answer costs what Google charges.</source>
        <translation>Gemini antwortet mit Ihrem Schlüssel: Prompts gehen an Google, und jede Antwort kostet, was Google berechnet.</translation>
    </message>
    <message>
        <source>There is no Gemini key here. Enter one in Preferences › Keys, or go back to written answers.</source>
        <translation>Hier gibt es keinen Gemini-Schlüssel. Geben Sie einen unter Einstellungen › Schlüssel ein oder kehren Sie zu den vorbereiteten Antworten zurück.</translation>
    </message>
</context>
<context>
    <name>ModelKeyForm</name>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Wird geprüft …</translation>
    </message>
    <message>
        <source>Does not work</source>
        <translation>Funktioniert nicht</translation>
    </message>
    <message>
        <source>Gemini API key</source>
        <translation>Gemini-API-Schlüssel</translation>
    </message>
    <message>
        <source>Get a key</source>
        <translation>Schlüssel besorgen</translation>
    </message>
    <message>
        <source>No key entered yet</source>
        <translation>Noch kein Schlüssel eingegeben</translation>
    </message>
    <message>
        <source>Opens {page} in the browser</source>
        <translation>Öffnet {page} im Browser</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>Wird geprüft …</translation>
    </message>
    <message>
        <source>Works</source>
        <translation>Funktioniert</translation>
    </message>
    <message>
        <source>from aistudio.google.com</source>
        <translation>von aistudio.google.com</translation>
    </message>
</context>
<context>
    <name>ModelSwitch</name>
    <message>
        <source>Gemini</source>
        <translation>Gemini</translation>
    </message>
    <message>
        <source>Who answers</source>
        <translation>Wer antwortet</translation>
    </message>
    <message>
        <source>Written answers</source>
        <translation>Vorbereitete Antworten</translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message numerus="yes">
        <source>%n model call(s) brought no reply</source>
        <translation>
            <numerusform>%n Modellaufruf brachte keine Antwort</numerusform>
            <numerusform>%n Modellaufrufe brachten keine Antwort</numerusform>
        </translation>
    </message>
    <message>
        <source>Gemini blocked the prompt because {why}</source>
        <translation>Gemini hat den Prompt blockiert, Grund: {why}</translation>
    </message>
    <message>
        <source>Gemini broke off its reply because {why}</source>
        <translation>Gemini hat die Antwort abgebrochen, Grund: {why}</translation>
    </message>
    <message>
        <source>Gemini can't answer now (HTTP {n})</source>
        <translation>Gemini kann gerade nicht antworten (HTTP {n})</translation>
    </message>
    <message>
        <source>Gemini can't be reached</source>
        <translation>Gemini ist nicht erreichbar</translation>
    </message>
    <message>
        <source>Gemini did not answer in time</source>
        <translation>Gemini hat nicht rechtzeitig geantwortet</translation>
    </message>
    <message>
        <source>Gemini does not accept the API key (HTTP {n})</source>
        <translation>Gemini akzeptiert den API-Schlüssel nicht (HTTP {n})</translation>
    </message>
    <message>
        <source>Gemini ended without a reply</source>
        <translation>Gemini endete ohne Antwort</translation>
    </message>
    <message>
        <source>Gemini refuses this request (HTTP {n})</source>
        <translation>Gemini lehnt diese Anfrage ab (HTTP {n})</translation>
    </message>
    <message>
        <source>Gemini rejected the request: a thought signature is missing</source>
        <translation>Gemini hat die Anfrage abgelehnt: Eine Gedankensignatur fehlt</translation>
    </message>
    <message>
        <source>Gemini sent its thoughts, but no reply</source>
        <translation>Gemini hat Gedanken gesendet, aber keine Antwort</translation>
    </message>
    <message>
        <source>Gemini used up all its tokens before the first word of the reply</source>
        <translation>Gemini hat alle Tokens vor dem ersten Wort der Antwort verbraucht</translation>
    </message>
    <message>
        <source>Gemini's answer holds no reply</source>
        <translation>Geminis Antwort enthält keinen Text</translation>
    </message>
    <message>
        <source>Gemini's answer is longer than 4 MB; it was given up</source>
        <translation>Geminis Antwort ist länger als 4 MB; sie wurde abgebrochen</translation>
    </message>
    <message>
        <source>The API key changed during the call</source>
        <translation>Der API-Schlüssel wurde während des Aufrufs geändert</translation>
    </message>
    <message>
        <source>The Gemini API key is missing or has characters that no key has</source>
        <translation>Der Gemini-API-Schlüssel fehlt oder enthält Zeichen, die in keinem Schlüssel vorkommen</translation>
    </message>
    <message>
        <source>The model asked for web pages, which it cannot look up, instead of answering</source>
        <translation>Das Modell hat Webseiten verlangt, die es nicht nachschlagen kann, statt zu antworten</translation>
    </message>
    <message>
        <source>The model did not answer within {n} s</source>
        <translation>Das Modell hat nicht innerhalb von {n} s geantwortet</translation>
    </message>
    <message>
        <source>The model wants to look something up and writes no reply</source>
        <translation>Das Modell will etwas nachschlagen und schreibt keine Antwort</translation>
    </message>
    <message>
        <source>The model's reply broke off before there was anything to send</source>
        <translation>Die Antwort des Modells brach ab, bevor es etwas zu senden gab</translation>
    </message>
    <message>
        <source>There can't be a model named “{words}”</source>
        <translation>Ein Modell namens „{words}“ kann es nicht geben</translation>
    </message>
    <message>
        <source>This model makes images and writes no replies. Choose another model</source>
        <translation>Dieses Modell erzeugt Bilder und schreibt keine Antworten. Bitte ein anderes wählen</translation>
    </message>
    <message>
        <source>Today's cap of {amount} for everything is reached</source>
        <translation>Die heutige Grenze von {amount} für alles ist erreicht</translation>
    </message>
    <message>
        <source>Today's cap of {amount} for this agent is reached</source>
        <translation>Die heutige Grenze von {amount} für diesen Agenten ist erreicht</translation>
    </message>
    <message>
        <source>Today's cap of {amount} for this chat is reached</source>
        <translation>Die heutige Grenze von {amount} für diesen Chat ist erreicht</translation>
    </message>
    <message>
        <source>Unexpected answer, not from Gemini. Are you behind a Wi-Fi login page?</source>
        <translation>Unerwartete Antwort, nicht von Gemini. Sind Sie hinter der Anmeldeseite eines WLANs?</translation>
    </message>
    <message>
        <source>an image would copy a protected one</source>
        <translation>ein Bild würde ein geschütztes wiedergeben</translation>
    </message>
    <message>
        <source>it considers an image prohibited</source>
        <translation>ein als unzulässig bewertetes Bild</translation>
    </message>
    <message>
        <source>it considers the content prohibited</source>
        <translation>als unzulässig bewerteter Inhalt</translation>
    </message>
    <message>
        <source>it considers this an attempt to bypass its rules</source>
        <translation>als Versuch bewertet, die Regeln zu umgehen</translation>
    </message>
    <message>
        <source>it contains a forbidden term</source>
        <translation>ein verbotener Begriff</translation>
    </message>
    <message>
        <source>it does not support the language</source>
        <translation>die Sprache wird nicht unterstützt</translation>
    </message>
    <message>
        <source>of a reason it does not name</source>
        <translation>nicht genannt</translation>
    </message>
    <message>
        <source>of an image in it</source>
        <translation>ein Bild darin</translation>
    </message>
    <message>
        <source>of its safety filters</source>
        <translation>die Sicherheitsfilter</translation>
    </message>
    <message>
        <source>of sensitive personal information</source>
        <translation>vertrauliche persönliche Angaben</translation>
    </message>
    <message>
        <source>of the Model Armor of its project</source>
        <translation>das Model Armor des Projekts</translation>
    </message>
    <message>
        <source>of {reason}</source>
        <translation>{reason}</translation>
    </message>
    <message>
        <source>the reply would copy a protected text</source>
        <translation>die Antwort würde einen geschützten Text wiedergeben</translation>
    </message>
    <message>
        <source>“{words}” has no price, so no cap can limit its cost</source>
        <translation>Für „{words}“ gibt es keinen Preis, also kann keine Grenze die Kosten beschränken</translation>
    </message>
</context>
<context>
    <name>NewerDraft</name>
    <message>
        <source>Changes in the newer plan</source>
        <translation>Änderungen im neueren Plan</translation>
    </message>
    <message>
        <source>The newer plan has no such message</source>
        <translation>Der neuere Plan hat keine solche Nachricht</translation>
    </message>
    <message>
        <source>The newer plan has the same message</source>
        <translation>Der neuere Plan hat dieselbe Nachricht</translation>
    </message>
    <message>
        <source>You had added this message; it was saved when the plan was replaced</source>
        <translation>Diese Nachricht hatten Sie hinzugefügt; beim Ersetzen des Plans wurde sie aufgehoben</translation>
    </message>
    <message>
        <source>You had added this message; the newer plan is without it</source>
        <translation>Diese Nachricht hatten Sie hinzugefügt; im neueren Plan fehlt sie</translation>
    </message>
</context>
<context>
    <name>NewestButton</name>
    <message>
        <source>Back to the newest message</source>
        <translation>Zurück zur neuesten Nachricht</translation>
    </message>
    <message>
        <source>{words}, {n} new</source>
        <translation>{words}, {n} neu</translation>
    </message>
</context>
<context>
    <name>News</name>
    <message>
        <source>Close this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
</context>
<context>
    <name>NextTask</name>
    <message>
        <source>Nothing to approve</source>
        <translation>Nichts freizugeben</translation>
    </message>
</context>
<context>
    <name>Notes</name>
    <message>
        <source>A cap on costs is reached</source>
        <translation>Eine Kostengrenze ist erreicht</translation>
    </message>
    <message>
        <source>A draft of this chat is being edited</source>
        <translation>Ein Entwurf dieses Chats wird gerade bearbeitet</translation>
    </message>
    <message>
        <source>A message in the prompt was changed meanwhile</source>
        <translation>Eine Nachricht im Prompt wurde inzwischen geändert</translation>
    </message>
    <message>
        <source>A newer message came</source>
        <translation>Eine neuere Nachricht kam</translation>
    </message>
    <message>
        <source>A newer message came during planning</source>
        <translation>Während des Planens kam eine neuere Nachricht</translation>
    </message>
    <message>
        <source>API key changed</source>
        <translation>API-Schlüssel geändert</translation>
    </message>
    <message>
        <source>An earlier step was edited</source>
        <translation>Ein früherer Schritt wurde bearbeitet</translation>
    </message>
    <message>
        <source>An earlier step was rejected</source>
        <translation>Ein früherer Schritt wurde abgelehnt</translation>
    </message>
    <message>
        <source>An earlier step was skipped</source>
        <translation>Ein früherer Schritt wurde übersprungen</translation>
    </message>
    <message>
        <source>Another account is logged in</source>
        <translation>Ein anderes Konto ist angemeldet</translation>
    </message>
    <message>
        <source>Another message in this chat is being sent</source>
        <translation>Eine andere Nachricht dieses Chats wird gesendet</translation>
    </message>
    <message>
        <source>Another message was sent meanwhile</source>
        <translation>Inzwischen wurde eine andere Nachricht gesendet</translation>
    </message>
    <message>
        <source>Another version was chosen</source>
        <translation>Eine andere Version wurde gewählt</translation>
    </message>
    <message>
        <source>Answered meanwhile</source>
        <translation>Inzwischen beantwortet</translation>
    </message>
    <message>
        <source>Approved, held</source>
        <translation>Freigegeben, angehalten</translation>
    </message>
    <message>
        <source>Can't be checked on Telegram</source>
        <translation>Lässt sich bei Telegram nicht prüfen</translation>
    </message>
    <message>
        <source>Can't be checked: another account is logged in</source>
        <translation>Nicht prüfbar: ein anderes Konto ist angemeldet</translation>
    </message>
    <message>
        <source>Changed after approval</source>
        <translation>Nach der Freigabe geändert</translation>
    </message>
    <message>
        <source>Checking first whether a message was delivered</source>
        <translation>Zuerst wird geprüft, ob eine Nachricht ankam</translation>
    </message>
    <message>
        <source>Checking whether the chat is muted</source>
        <translation>Es wird geprüft, ob der Chat stumm ist</translation>
    </message>
    <message>
        <source>Chimein closed during this plan</source>
        <translation>Chimein wurde während dieses Plans geschlossen</translation>
    </message>
    <message>
        <source>Chimein closed three times while planning this</source>
        <translation>Chimein wurde beim Planen dreimal geschlossen</translation>
    </message>
    <message>
        <source>Chimein closed three times while planning this.</source>
        <translation>Chimein wurde beim Planen dreimal geschlossen.</translation>
    </message>
    <message>
        <source>Chimein was closed</source>
        <translation>Chimein war geschlossen</translation>
    </message>
    <message>
        <source>Deleted for everyone; the partner may have seen it</source>
        <translation>Für alle gelöscht; der Partner hat es vielleicht gesehen</translation>
    </message>
    <message>
        <source>Delivered after all</source>
        <translation>Doch zugestellt</translation>
    </message>
    <message>
        <source>Done after retry</source>
        <translation>Nach erneutem Versuch erledigt</translation>
    </message>
    <message>
        <source>Done after retry (attempt {n})</source>
        <translation>Nach erneutem Versuch erledigt (Versuch {n})</translation>
    </message>
    <message>
        <source>From before the first login</source>
        <translation>Von vor der ersten Anmeldung</translation>
    </message>
    <message>
        <source>Held meanwhile</source>
        <translation>Inzwischen angehalten</translation>
    </message>
    <message>
        <source>Held: {why}</source>
        <translation>Angehalten: {why}</translation>
    </message>
    <message numerus="yes">
        <source>It is more than %n minute(s) overdue</source>
        <translation>
            <numerusform>Mehr als %n Minute überfällig</numerusform>
            <numerusform>Mehr als %n Minuten überfällig</numerusform>
        </translation>
    </message>
    <message>
        <source>It was cut off between two parts</source>
        <translation>Zwischen zwei Teilen abgebrochen</translation>
    </message>
    <message>
        <source>Its time ran out while Chimein was closed or the computer was asleep, so it starts again.</source>
        <translation>Die Zeit lief ab, während Chimein geschlossen war oder der Computer schlief; sie beginnt von vorn.</translation>
    </message>
    <message>
        <source>More than 12 hours old</source>
        <translation>Mehr als 12 Stunden alt</translation>
    </message>
    <message>
        <source>No answer from Telegram</source>
        <translation>Keine Antwort von Telegram</translation>
    </message>
    <message>
        <source>No plan: {why}</source>
        <translation>Kein Plan: {why}</translation>
    </message>
    <message>
        <source>Not due yet</source>
        <translation>Noch nicht fällig</translation>
    </message>
    <message>
        <source>Not found in the chat on Telegram</source>
        <translation>Im Chat bei Telegram nicht gefunden</translation>
    </message>
    <message>
        <source>Not found in the chat on Telegram. {why}</source>
        <translation>Im Chat bei Telegram nicht gefunden. {why}</translation>
    </message>
    <message>
        <source>Nothing in this chat needs an answer any more</source>
        <translation>In diesem Chat verlangt nichts mehr eine Antwort</translation>
    </message>
    <message>
        <source>Observe only</source>
        <translation>Nur beobachten</translation>
    </message>
    <message>
        <source>Part of the reply was left out or changed: {why}</source>
        <translation>Ein Teil der Antwort wurde weggelassen oder geändert: {why}</translation>
    </message>
    <message>
        <source>Part {n} was refused, the parts before it were sent: {words}</source>
        <translation>Teil {n} wurde abgelehnt, die Teile davor wurden gesendet: {words}</translation>
    </message>
    <message>
        <source>Postponed</source>
        <translation>Verschoben</translation>
    </message>
    <message>
        <source>Replaced by a newer plan</source>
        <translation>Durch einen neueren Plan ersetzt</translation>
    </message>
    <message>
        <source>Replaced by a newer plan after you approved it</source>
        <translation>Nach Ihrer Freigabe durch einen neueren Plan ersetzt</translation>
    </message>
    <message>
        <source>Requested again</source>
        <translation>Erneut angefordert</translation>
    </message>
    <message>
        <source>Sending it again was refused: {words}</source>
        <translation>Erneutes Senden wurde abgelehnt: {words}</translation>
    </message>
    <message>
        <source>Sent after the quiet hours</source>
        <translation>Wird nach den Ruhezeiten gesendet</translation>
    </message>
    <message>
        <source>Sent again: there was no answer, and it was not in the chat</source>
        <translation>Erneut gesendet: Es kam keine Antwort, und sie war nicht im Chat</translation>
    </message>
    <message>
        <source>Sent when the account is online</source>
        <translation>Wird gesendet, sobald das Konto online ist</translation>
    </message>
    <message>
        <source>Telegram did not say whether the chat is muted</source>
        <translation>Telegram hat nicht mitgeteilt, ob der Chat stumm ist</translation>
    </message>
    <message>
        <source>Telegram rate limit</source>
        <translation>Wartezeit von Telegram</translation>
    </message>
    <message>
        <source>Telegram rate limit: {n} s</source>
        <translation>Wartezeit von Telegram: {n} s</translation>
    </message>
    <message>
        <source>The account is logged out: it is sent after the next login</source>
        <translation>Das Konto ist abgemeldet: wird nach der nächsten Anmeldung gesendet</translation>
    </message>
    <message>
        <source>The cap was raised</source>
        <translation>Die Grenze wurde angehoben</translation>
    </message>
    <message>
        <source>The chat is muted</source>
        <translation>Der Chat ist stumm</translation>
    </message>
    <message>
        <source>The chat was set to {level}</source>
        <translation>Der Chat wurde auf {level} gesetzt</translation>
    </message>
    <message>
        <source>The conversation has moved on</source>
        <translation>Das Gespräch ging weiter</translation>
    </message>
    <message>
        <source>The conversation moved on after it was approved</source>
        <translation>Das Gespräch ging nach der Freigabe weiter</translation>
    </message>
    <message>
        <source>The conversation moved on between its parts</source>
        <translation>Das Gespräch ging zwischen den Teilen weiter</translation>
    </message>
    <message>
        <source>The copy of the file is gone; reject this and send it again</source>
        <translation>Die Kopie der Datei fehlt; lehnen Sie dies ab und senden Sie sie erneut</translation>
    </message>
    <message>
        <source>The earlier text arrived after all</source>
        <translation>Der frühere Text kam doch an</translation>
    </message>
    <message>
        <source>The file is being uploaded</source>
        <translation>Die Datei wird hochgeladen</translation>
    </message>
    <message>
        <source>The group became a supergroup meanwhile</source>
        <translation>Die Gruppe wurde inzwischen zur Supergruppe</translation>
    </message>
    <message>
        <source>The model decided not to answer.</source>
        <translation>Das Modell hat entschieden, nicht zu antworten.</translation>
    </message>
    <message>
        <source>The model did not answer</source>
        <translation>Das Modell hat nicht geantwortet</translation>
    </message>
    <message>
        <source>The model only wants to wait; there is nothing to send</source>
        <translation>Das Modell will nur warten; es gibt nichts zu senden</translation>
    </message>
    <message>
        <source>The next part follows</source>
        <translation>Der nächste Teil folgt</translation>
    </message>
    <message>
        <source>The plan wants to wait {n} h</source>
        <translation>Der Plan will {n} h warten</translation>
    </message>
    <message>
        <source>The plan was rejected</source>
        <translation>Der Plan wurde abgelehnt</translation>
    </message>
    <message>
        <source>The reply could not be used</source>
        <translation>Die Antwort war nicht verwendbar</translation>
    </message>
    <message>
        <source>The rule that approved it is no longer active</source>
        <translation>Die Regel, die es freigegeben hat, gilt nicht mehr</translation>
    </message>
    <message>
        <source>The step before it failed</source>
        <translation>Der Schritt davor ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>The step before it is not done</source>
        <translation>Der Schritt davor ist noch nicht beendet</translation>
    </message>
    <message numerus="yes">
        <source>There were %n automatic send(s) in this chat within an hour</source>
        <translation>
            <numerusform>In diesem Chat gab es binnen einer Stunde %n automatische Nachricht</numerusform>
            <numerusform>In diesem Chat gab es binnen einer Stunde %n automatische Nachrichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>There were %n automatic send(s) of this account within an hour</source>
        <translation>
            <numerusform>Von diesem Konto gab es binnen einer Stunde %n automatische Nachricht</numerusform>
            <numerusform>Von diesem Konto gab es binnen einer Stunde %n automatische Nachrichten</numerusform>
        </translation>
    </message>
    <message>
        <source>This person was forgotten</source>
        <translation>Diese Person wurde vergessen</translation>
    </message>
    <message>
        <source>Waits for Telegram</source>
        <translation>Wartet auf Telegram</translation>
    </message>
    <message>
        <source>Was held</source>
        <translation>War angehalten</translation>
    </message>
    <message>
        <source>You approved it while it was held</source>
        <translation>Von Ihnen freigegeben, während es angehalten war</translation>
    </message>
    <message>
        <source>You cancelled it</source>
        <translation>Von Ihnen abgebrochen</translation>
    </message>
    <message>
        <source>You changed the plan before it</source>
        <translation>Sie haben den Plan davor geändert</translation>
    </message>
    <message>
        <source>You held it</source>
        <translation>Von Ihnen angehalten</translation>
    </message>
    <message>
        <source>You rejected it</source>
        <translation>Von Ihnen abgelehnt</translation>
    </message>
    <message>
        <source>You replied yourself</source>
        <translation>Sie haben selbst geantwortet</translation>
    </message>
    <message>
        <source>You skipped it</source>
        <translation>Von Ihnen übersprungen</translation>
    </message>
    <message>
        <source>You took it out of the plan</source>
        <translation>Sie haben es aus dem Plan genommen</translation>
    </message>
    <message>
        <source>You took over</source>
        <translation>Von Ihnen übernommen</translation>
    </message>
    <message>
        <source>You wrote in this chat yourself</source>
        <translation>Sie haben in diesem Chat selbst geschrieben</translation>
    </message>
    <message>
        <source>part of it was already sent</source>
        <translation>ein Teil davon wurde vorher gesendet</translation>
    </message>
    <message numerus="yes">
        <source>{why} (%n attempt(s))</source>
        <translation>
            <numerusform>{why} (%n Versuch)</numerusform>
            <numerusform>{why} (%n Versuche)</numerusform>
        </translation>
    </message>
    <message>
        <source>{why} Planning continues when it gets a price, or is permitted for today.</source>
        <translation>{why} Es wird weiter geplant, wenn es einen Preis bekommt oder für heute erlaubt ist.</translation>
    </message>
    <message>
        <source>{why} Planning continues when you add to it, or after midnight.</source>
        <translation>{why} Es wird weiter geplant, wenn Sie etwas dazugeben, sonst nach Mitternacht.</translation>
    </message>
    <message>
        <source>{why} Planning continues when you change the key.</source>
        <translation>{why} Das Planen geht weiter, sobald Sie den Schlüssel ändern.</translation>
    </message>
    <message>
        <source>{why} Rate limit: retrying in {s} s.</source>
        <translation>{why} Wartezeit: neuer Versuch in {s} s.</translation>
    </message>
    <message>
        <source>{why} Retrying (attempt {n} of {of}).</source>
        <translation>{why} Neuer Versuch ({n} von {of}).</translation>
    </message>
    <message>
        <source>{why}; part of it was already sent</source>
        <translation>{why}; ein Teil davon wurde vorher gesendet</translation>
    </message>
</context>
<context>
    <name>NothingWaits</name>
    <message>
        <source>Recent decisions</source>
        <translation>Letzte Entscheidungen</translation>
    </message>
    <message>
        <source>Rejected</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <source>Sending next</source>
        <translation>Wird als Nächstes gesendet</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>Gesendet</translation>
    </message>
    <message>
        <source>Sent, edited</source>
        <translation>Gesendet, bearbeitet</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <source>approved by you</source>
        <translation>von Ihnen freigegeben</translation>
    </message>
</context>
<context>
    <name>Notifications</name>
    <message numerus="yes">
        <source>%n accounts need you</source>
        <translation>
            <numerusform>%n Konto braucht Sie</numerusform>
            <numerusform>%n Konten brauchen Sie</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n countdowns run in {chats} chats</source>
        <translation>
            <numerusform>%n Countdown läuft in {chats} Chats</numerusform>
            <numerusform>%n Countdowns laufen in {chats} Chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n drafts wait in {chats} chats</source>
        <translation>
            <numerusform>%n Entwurf wartet in {chats} Chats</numerusform>
            <numerusform>%n Entwürfe warten in {chats} Chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages in {chats} chats may not have been delivered</source>
        <translation>
            <numerusform>%n Nachricht in {chats} Chats ist vielleicht nicht angekommen</numerusform>
            <numerusform>%n Nachrichten in {chats} Chats sind vielleicht nicht angekommen</numerusform>
        </translation>
    </message>
    <message>
        <source>An account needs you</source>
        <translation>Ein Konto braucht Sie</translation>
    </message>
    <message>
        <source>It is sent in {time} unless you stop it.</source>
        <translation>Sie wird in {time} gesendet, wenn Sie sie nicht aufhalten.</translation>
    </message>
    <message>
        <source>Planning has failed</source>
        <translation>Die Planung ist fehlgeschlagen</translation>
    </message>
    <message numerus="yes">
        <source>{agent}: %n countdowns run for {who}</source>
        <translation>
            <numerusform>{agent}: %n Countdown läuft für {who}</numerusform>
            <numerusform>{agent}: %n Countdowns laufen für {who}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{agent}: %n messages to {who} may not have been delivered</source>
        <translation>
            <numerusform>{agent}: %n Nachricht an {who} ist vielleicht nicht angekommen</numerusform>
            <numerusform>{agent}: %n Nachrichten an {who} sind vielleicht nicht angekommen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{agent}: %n messages to {who} wait</source>
        <translation>
            <numerusform>{agent}: %n Nachricht an {who} wartet</numerusform>
            <numerusform>{agent}: %n Nachrichten an {who} warten</numerusform>
        </translation>
    </message>
    <message>
        <source>{agent}: a countdown runs</source>
        <translation>{agent}: Ein Countdown läuft</translation>
    </message>
    <message>
        <source>{agent}: a message may not have been delivered</source>
        <translation>{agent}: Eine Nachricht ist vielleicht nicht angekommen</translation>
    </message>
    <message>
        <source>{agent}: a message to {who} is about to be sent</source>
        <translation>{agent}: Eine Nachricht an {who} wird gleich gesendet</translation>
    </message>
    <message>
        <source>{agent}: a message to {who} may not have been delivered</source>
        <translation>{agent}: Eine Nachricht an {who} ist vielleicht nicht angekommen</translation>
    </message>
    <message>
        <source>{agent}: a message to {who} waits</source>
        <translation>{agent}: Eine Nachricht an {who} wartet</translation>
    </message>
    <message>
        <source>{agent}: a message waits</source>
        <translation>{agent}: Eine Nachricht wartet</translation>
    </message>
</context>
<context>
    <name>NotificationsSection</name>
    <message>
        <source>No notification service found</source>
        <translation>Kein Dienst für Benachrichtigungen gefunden</translation>
    </message>
</context>
<context>
    <name>Notifier</name>
    <message>
        <source>Hold everything</source>
        <translation>Alles anhalten</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
</context>
<context>
    <name>NowPlaying</name>
    <message>
        <source>Finished</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Play again</source>
        <translation>Erneut abspielen</translation>
    </message>
    <message>
        <source>Playing at {speed}×</source>
        <translation>Läuft mit {speed}×</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Stopped by you</source>
        <translation>Von Ihnen gestoppt</translation>
    </message>
    <message>
        <source>Stopped early</source>
        <translation>Vorzeitig gestoppt</translation>
    </message>
    <message>
        <source>{done} of {all}</source>
        <translation>{done} von {all}</translation>
    </message>
</context>
<context>
    <name>Numbers</name>
    <message>
        <source>${amount}</source>
        <translation>{amount} $</translation>
    </message>
    <message>
        <source>{day} {month}</source>
        <translation>{day}. {month}</translation>
    </message>
    <message>
        <source>{day} {month} {year}</source>
        <translation>{day}. {month} {year}</translation>
    </message>
    <message>
        <source>{n} B</source>
        <translation>{n} B</translation>
    </message>
    <message>
        <source>{n} MB</source>
        <translation>{n} MB</translation>
    </message>
    <message>
        <source>{n} kB</source>
        <translation>{n} kB</translation>
    </message>
</context>
<context>
    <name>OfferList</name>
    <message>
        <source>Faults to pick</source>
        <translation>Störungen zur Auswahl</translation>
    </message>
</context>
<context>
    <name>OpenEditor</name>
    <message>
        <source>Being edited in Approvals</source>
        <translation>Wird in den Freigaben bearbeitet</translation>
    </message>
    <message>
        <source>Being edited in the conversation</source>
        <translation>Wird im Chat bearbeitet</translation>
    </message>
</context>
<context>
    <name>OpenFile</name>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open with another program?</source>
        <translation>Mit einem anderen Programm öffnen?</translation>
    </message>
    <message>
        <source>This file is not opened</source>
        <translation>Diese Datei wird nicht geöffnet</translation>
    </message>
    <message>
        <source>somebody</source>
        <translation>jemand</translation>
    </message>
    <message>
        <source>{name} ({facts}) comes from {who}.</source>
        <translation>{name} ({facts}) kommt von {who}.</translation>
    </message>
    <message>
        <source>{name} could run as a program. It is saved at {path}</source>
        <translation>{name} könnte als Programm laufen. Sie ist gespeichert unter {path}</translation>
    </message>
</context>
<context>
    <name>OrderUndo</name>
    <message>
        <source>It cannot be taken back: {why}</source>
        <translation>Es lässt sich nicht zurücknehmen: {why}</translation>
    </message>
    <message>
        <source>Its entry was changed meanwhile. Delete it in the Memory pane.</source>
        <translation>Der Eintrag wurde inzwischen geändert. Löschen Sie ihn im Bereich Gedächtnis.</translation>
    </message>
    <message>
        <source>Taken back: it is no longer remembered</source>
        <translation>Zurückgenommen: Es ist nicht mehr gemerkt</translation>
    </message>
</context>
<context>
    <name>OutlineList</name>
    <message>
        <source>Steps of the plan</source>
        <translation>Schritte des Plans</translation>
    </message>
</context>
<context>
    <name>PageActions</name>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>{host} is denied in the file of {agent} already.</source>
        <translation>{host} ist in der Datei von {agent} bereits verboten.</translation>
    </message>
    <message>
        <source>{host} is denied in the file of {agent}. Its next plan looks up nothing there.</source>
        <translation>{host} ist in der Datei von {agent} verboten. Der nächste Plan ruft dort nichts ab.</translation>
    </message>
    <message>
        <source>{host} is not denied any more.</source>
        <translation>{host} ist nicht mehr verboten.</translation>
    </message>
</context>
<context>
    <name>PageFacts</name>
    <message>
        <source>Continue without retrieval</source>
        <translation>Ohne Abruf fortfahren</translation>
    </message>
    <message>
        <source>Deny this site</source>
        <translation>Diese Website verbieten</translation>
    </message>
    <message>
        <source>Open page</source>
        <translation>Seite öffnen</translation>
    </message>
    <message>
        <source>The agent's file denies it</source>
        <translation>Die Datei des Agenten verbietet sie</translation>
    </message>
    <message>
        <source>This agent has no file any more</source>
        <translation>Dieser Agent hat keine Datei mehr</translation>
    </message>
    <message>
        <source>This page</source>
        <translation>Diese Seite</translation>
    </message>
</context>
<context>
    <name>PageList</name>
    <message>
        <source>Pages of the preferences</source>
        <translation>Seiten der Einstellungen</translation>
    </message>
</context>
<context>
    <name>PageText</name>
    <message numerus="yes">
        <source>%n marker(s) escaped</source>
        <translation>
            <numerusform>%n Markierung entschärft</numerusform>
            <numerusform>%n Markierungen entschärft</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Form of the page</source>
        <translation>Form der Seite</translation>
    </message>
    <message>
        <source>In the prompt</source>
        <translation>Im Prompt</translation>
    </message>
    <message>
        <source>Injected as a user turn</source>
        <translation>Als Nutzerbeitrag eingefügt</translation>
    </message>
    <message>
        <source>Nothing of it stands in the prompt: {why}</source>
        <translation>Nichts davon steht im Prompt: {why}</translation>
    </message>
    <message>
        <source>Raw HTML</source>
        <translation>HTML-Quelltext</translation>
    </message>
    <message>
        <source>Reading the source…</source>
        <translation>Der Quelltext wird gelesen…</translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln more character(s)</source>
        <translation>
            <numerusform>%Ln weiteres Zeichen zeigen</numerusform>
            <numerusform>%Ln weitere Zeichen zeigen</numerusform>
        </translation>
    </message>
    <message>
        <source>Source of the page</source>
        <translation>Quelltext der Seite</translation>
    </message>
    <message>
        <source>Text of the page, as it stands in the prompt</source>
        <translation>Text der Seite, wie er im Prompt steht</translation>
    </message>
    <message>
        <source>The source can't be read: {why}</source>
        <translation>Der Quelltext kann nicht gelesen werden: {why}</translation>
    </message>
    <message>
        <source>The source of this page is not kept.</source>
        <translation>Der Quelltext dieser Seite ist nicht gespeichert.</translation>
    </message>
    <message>
        <source>There is no text</source>
        <translation>Es gibt keinen Text</translation>
    </message>
</context>
<context>
    <name>PagesTab</name>
    <message>
        <source>Cache</source>
        <translation>Cache</translation>
    </message>
    <message>
        <source>Nothing was retrieved for this plan.</source>
        <translation>Für diesen Plan wurde nichts abgerufen.</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>Verwendet</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n Chat</numerusform>
            <numerusform>%n Chats</numerusform>
        </translation>
    </message>
    <message>
        <source>{agent} to {who}</source>
        <translation>{agent} an {who}</translation>
    </message>
    <message>
        <source>{agent}, planned message waits</source>
        <translation>{agent}, geplante Nachricht wartet</translation>
    </message>
    <message>
        <source>{who} in {chat}</source>
        <translation>{who} in {chat}</translation>
    </message>
</context>
<context>
    <name>PaletteDialog</name>
    <message>
        <source>Agents</source>
        <translation>Agenten</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtern</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Bewegen</translation>
    </message>
    <message>
        <source>None is chosen. The down arrow goes to the first one.</source>
        <translation>Nichts ist ausgewählt. Die Pfeiltaste nach unten führt zum ersten Eintrag.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Search and commands</source>
        <translation>Suche und Befehle</translation>
    </message>
    <message>
        <source>Search in</source>
        <translation>Suchen in</translation>
    </message>
</context>
<context>
    <name>PaletteModel</name>
    <message>
        <source>Agents</source>
        <translation>Agenten</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Commands for {chat}</source>
        <translation>Befehle für {chat}</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Needs you</source>
        <translation>Für Sie</translation>
    </message>
    <message>
        <source>No messages with “{words}”</source>
        <translation>Keine Nachrichten mit „{words}“</translation>
    </message>
    <message>
        <source>No results for “{words}”</source>
        <translation>Keine Treffer für „{words}“</translation>
    </message>
    <message>
        <source>Nothing here yet</source>
        <translation>Hier ist noch nichts</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt verwendet</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Sucht …</translation>
    </message>
    <message>
        <source>Type words to search the messages of all chats</source>
        <translation>Wörter eingeben, um die Nachrichten aller Chats zu durchsuchen</translation>
    </message>
    <message>
        <source>Waits for you</source>
        <translation>Wartet auf Sie</translation>
    </message>
</context>
<context>
    <name>PaletteOpener</name>
    <message>
        <source>Layout: {name}</source>
        <translation>Anordnung: {name}</translation>
    </message>
    <message>
        <source>Log {name} out…</source>
        <translation>{name} abmelden …</translation>
    </message>
    <message>
        <source>Show plan of {name}</source>
        <translation>Plan von {name} zeigen</translation>
    </message>
    <message>
        <source>{action}: {name}</source>
        <translation>{action}: {name}</translation>
    </message>
</context>
<context>
    <name>PaneDock</name>
    <message>
        <source>Close {pane}</source>
        <translation>{pane} schließen</translation>
    </message>
    <message>
        <source>Float {pane}</source>
        <translation>{pane} lösen</translation>
    </message>
    <message>
        <source>Maximize {pane}</source>
        <translation>{pane} maximieren</translation>
    </message>
    <message>
        <source>Restore size</source>
        <translation>Größe wiederherstellen</translation>
    </message>
    <message>
        <source>{name} (Ctrl+Shift+M)</source>
        <translation>{name} (Strg+Umschalt+M)</translation>
    </message>
</context>
<context>
    <name>PaneOverlay</name>
    <message>
        <source>Close this pane (Esc)</source>
        <translation>Diesen Bereich schließen (Esc)</translation>
    </message>
    <message>
        <source>Maximize this pane</source>
        <translation>Diesen Bereich maximieren</translation>
    </message>
</context>
<context>
    <name>Panes</name>
    <message>
        <source>Agent files</source>
        <translation>Agentendateien</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>Agenten</translation>
    </message>
    <message>
        <source>Approvals</source>
        <translation>Freigaben</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Costs</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>Entscheidungen</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Media</source>
        <translation>Medien</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Gedächtnis</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Als Nächstes</translation>
    </message>
    <message>
        <source>Plans</source>
        <translation>Pläne</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Rehearsal</source>
        <translation>Probe</translation>
    </message>
    <message>
        <source>Traces</source>
        <translation>Abläufe</translation>
    </message>
</context>
<context>
    <name>PartDelegate</name>
    <message>
        <source>left out</source>
        <translation>weggelassen</translation>
    </message>
</context>
<context>
    <name>PartList</name>
    <message>
        <source>Parts of the prompt</source>
        <translation>Teile des Prompts</translation>
    </message>
</context>
<context>
    <name>PartnerComposer</name>
    <message>
        <source>Is the bridge open again?</source>
        <translation>Ist die Brücke wieder offen?</translation>
    </message>
    <message>
        <source>Nothing typed yet</source>
        <translation>Noch nichts eingegeben</translation>
    </message>
    <message>
        <source>Send as {who} to {where}</source>
        <translation>Als {who} an {where} senden</translation>
    </message>
    <message>
        <source>Who is writing</source>
        <translation>Wer schreibt</translation>
    </message>
    <message>
        <source>Write as {who}</source>
        <translation>Als {who} schreiben</translation>
    </message>
    <message>
        <source>Write as {who} to {where}</source>
        <translation>Als {who} an {where} schreiben</translation>
    </message>
    <message>
        <source>Write to {agent} as {who}, for example:</source>
        <translation>Schreiben Sie an {agent} als {who}, zum Beispiel:</translation>
    </message>
</context>
<context>
    <name>PasswordPage</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Enter the password</source>
        <translation>Passwort eingeben</translation>
    </message>
    <message>
        <source>Hide the password</source>
        <translation>Passwort verbergen</translation>
    </message>
    <message>
        <source>Hint: {hint}</source>
        <translation>Hinweis: {hint}</translation>
    </message>
    <message>
        <source>Log in</source>
        <translation>Anmelden</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>Save again</source>
        <translation>Erneut speichern</translation>
    </message>
    <message>
        <source>Show the password</source>
        <translation>Passwort zeigen</translation>
    </message>
    <message>
        <source>Used once, never stored.</source>
        <translation>Einmal verwendet, nie gespeichert.</translation>
    </message>
</context>
<context>
    <name>PathChips</name>
    <message>
        <source>Path</source>
        <translation>Pfad</translation>
    </message>
</context>
<context>
    <name>People</name>
    <message>
        <source>Find a person or file</source>
        <translation>Person oder Datei suchen</translation>
    </message>
    <message>
        <source>Nobody and no file has these words.</source>
        <translation>Niemand und keine Datei enthält diese Wörter.</translation>
    </message>
</context>
<context>
    <name>PeopleList</name>
    <message>
        <source>Everything about this person…</source>
        <translation>Alles zu dieser Person …</translation>
    </message>
    <message>
        <source>Whose memories</source>
        <translation>Wessen Erinnerungen</translation>
    </message>
</context>
<context>
    <name>Person</name>
    <message numerus="yes">
        <source>%n by the person</source>
        <translation>
            <numerusform>%n von der Person</numerusform>
            <numerusform>%n von der Person</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n Nachricht</numerusform>
            <numerusform>%n Nachrichten</numerusform>
        </translation>
    </message>
    <message>
        <source>All that Chimein holds on this computer, for all agents. What is in Telegram is not listed.</source>
        <translation>Alles, was Chimein auf diesem Computer für alle Agenten speichert. Was in Telegram ist, steht hier nicht.</translation>
    </message>
    <message>
        <source>An earlier order to forget is not complete. Choose Forget to continue.</source>
        <translation>Ein früherer Auftrag zum Vergessen ist noch nicht fertig. Wählen Sie „Vergessen“, um fortzufahren.</translation>
    </message>
    <message>
        <source>Calls of the model</source>
        <translation>Aufrufe des Modells</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Everything about {name}</source>
        <translation>Alles zu {name}</translation>
    </message>
    <message>
        <source>Everything in Telegram itself</source>
        <translation>Alles in Telegram selbst</translation>
    </message>
    <message>
        <source>Export everything about a person</source>
        <translation>Alles zu einer Person exportieren</translation>
    </message>
    <message>
        <source>Exported. The file is as secret as the conversations.</source>
        <translation>Exportiert. Die Datei ist so geheim wie die Gespräche.</translation>
    </message>
    <message numerus="yes">
        <source>Exporting… %n portion(s) written</source>
        <translation>
            <numerusform>Export läuft … %n Teil geschrieben</numerusform>
            <numerusform>Export läuft … %n Teile geschrieben</numerusform>
        </translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Forget this person?</source>
        <translation>Diese Person vergessen?</translation>
    </message>
    <message>
        <source>Forgetting… The chats are held meanwhile. You may close this page.</source>
        <translation>Wird vergessen … Die Chats sind solange angehalten. Sie dürfen diese Seite schließen.</translation>
    </message>
    <message>
        <source>Forget…</source>
        <translation>Vergessen …</translation>
    </message>
    <message>
        <source>Goes</source>
        <translation>Geht weg</translation>
    </message>
    <message>
        <source>How much</source>
        <translation>Wie viel</translation>
    </message>
    <message>
        <source>Ledger of what was sent</source>
        <translation>Verzeichnis des Gesendeten</translation>
    </message>
    <message>
        <source>Lines of the log</source>
        <translation>Zeilen im Protokoll</translation>
    </message>
    <message>
        <source>Looking in all chats, files and logs…</source>
        <translation>Alle Chats, Dateien und Protokolle werden durchgesehen …</translation>
    </message>
    <message>
        <source>Memories about the person</source>
        <translation>Erinnerungen an die Person</translation>
    </message>
    <message>
        <source>Memories for all chats, learned here</source>
        <translation>Erinnerungen für alle Chats, hier gelernt</translation>
    </message>
    <message>
        <source>Messages in a group</source>
        <translation>Nachrichten in einer Gruppe</translation>
    </message>
    <message>
        <source>Messages, of both sides</source>
        <translation>Nachrichten, von beiden Seiten</translation>
    </message>
    <message>
        <source>Name and settings of the chat</source>
        <translation>Name und Einstellungen des Chats</translation>
    </message>
    <message>
        <source>Never propose memories of this person again</source>
        <translation>Nie wieder Erinnerungen an diese Person vorschlagen</translation>
    </message>
    <message>
        <source>Nothing is held</source>
        <translation>Nichts gespeichert</translation>
    </message>
    <message>
        <source>Nothing is held about this person.</source>
        <translation>Über diese Person ist nichts gespeichert.</translation>
    </message>
    <message>
        <source>Of this the words go, the numbers stay</source>
        <translation>Davon gehen die Worte weg, die Zahlen bleiben</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Pictures and files that were shown</source>
        <translation>Bilder und Dateien, die gezeigt wurden</translation>
    </message>
    <message>
        <source>Pinned messages</source>
        <translation>Angeheftete Nachrichten</translation>
    </message>
    <message>
        <source>Plans and drafts</source>
        <translation>Pläne und Entwürfe</translation>
    </message>
    <message>
        <source>Proposed memories</source>
        <translation>Vorgeschlagene Erinnerungen</translation>
    </message>
    <message>
        <source>Records of what replies remembered</source>
        <translation>Verzeichnis dessen, was Antworten sich gemerkt haben</translation>
    </message>
    <message>
        <source>Saved edits</source>
        <translation>Gesicherte Änderungen</translation>
    </message>
    <message>
        <source>Search index</source>
        <translation>Suchindex</translation>
    </message>
    <message>
        <source>Stays, as sums</source>
        <translation>Bleibt, als Summen</translation>
    </message>
    <message>
        <source>Stop export</source>
        <translation>Export abbrechen</translation>
    </message>
    <message>
        <source>Stored prompts</source>
        <translation>Gespeicherte Prompts</translation>
    </message>
    <message>
        <source>Text that you have not sent</source>
        <translation>Text, den Sie nicht gesendet haben</translation>
    </message>
    <message>
        <source>The person is forgotten</source>
        <translation>Die Person ist vergessen</translation>
    </message>
    <message>
        <source>This can't be undone. The chats are held meanwhile; all other chats continue as usual.</source>
        <translation>Das lässt sich nicht rückgängig machen. Solange sind die Chats angehalten; alle anderen gehen weiter wie sonst.</translation>
    </message>
    <message>
        <source>This goes</source>
        <translation>Das geht weg</translation>
    </message>
    <message>
        <source>This stays</source>
        <translation>Das bleibt</translation>
    </message>
    <message>
        <source>Traces: how replies came about</source>
        <translation>Traces: wie Antworten zustande kamen</translation>
    </message>
    <message>
        <source>Type the name first</source>
        <translation>Tippen Sie zuerst den Namen</translation>
    </message>
    <message>
        <source>Type {name} to confirm</source>
        <translation>Tippen Sie zur Bestätigung {name}</translation>
    </message>
    <message>
        <source>Wait until it is done</source>
        <translation>Warten Sie, bis es fertig ist</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>What the person asked to be remembered</source>
        <translation>Was die Person sich zu merken bat</translation>
    </message>
    <message>
        <source>When forgotten</source>
        <translation>Beim Vergessen</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>Words go, numbers stay</source>
        <translation>Worte gehen weg, Zahlen bleiben</translation>
    </message>
    <message>
        <source>Your decisions</source>
        <translation>Ihre Entscheidungen</translation>
    </message>
    <message>
        <source>Your notes on the chat</source>
        <translation>Ihre Notizen zum Chat</translation>
    </message>
    <message>
        <source>Zip files (*.zip)</source>
        <translation>Zip-Dateien (*.zip)</translation>
    </message>
    <message>
        <source>id {number}</source>
        <translation>ID {number}</translation>
    </message>
    <message>
        <source>numbers of messages and requests, so that nothing is sent or fetched twice</source>
        <translation>Nummern von Nachrichten und Anfragen, damit nichts doppelt gesendet oder geholt wird</translation>
    </message>
    <message>
        <source>the name in Telegram's own log-in file</source>
        <translation>der Name in Telegrams eigener Anmeldedatei</translation>
    </message>
    <message>
        <source>what model calls cost, as sums</source>
        <translation>was Aufrufe des Modells kosteten, als Summen</translation>
    </message>
    <message>
        <source>what other people wrote in groups, also about this person</source>
        <translation>was andere in Gruppen schrieben, auch über diese Person</translation>
    </message>
    <message>
        <source>your trust level and other settings of the chat</source>
        <translation>Ihre Vertrauensstufe und andere Einstellungen des Chats</translation>
    </message>
    <message>
        <source>{first} to {last}</source>
        <translation>{first} bis {last}</translation>
    </message>
</context>
<context>
    <name>PhonePage</name>
    <message>
        <source>A different number is not saved to the agent’s file.</source>
        <translation>Eine andere Nummer wird nicht in der Agentendatei gespeichert.</translation>
    </message>
    <message>
        <source>Choose whose phone it is</source>
        <translation>Wählen, wessen Telefon es ist</translation>
    </message>
    <message>
        <source>Enter a phone number</source>
        <translation>Telefonnummer eingeben</translation>
    </message>
    <message>
        <source>From {file}. Logging in with another number changes the file.</source>
        <translation>Aus {file}. Bei Anmeldung mit einer anderen Nummer wird die Datei geändert.</translation>
    </message>
    <message>
        <source>Login codes received</source>
        <translation>Erhaltene Anmeldecodes</translation>
    </message>
    <message>
        <source>No codes yet.</source>
        <translation>Noch keine Codes.</translation>
    </message>
    <message>
        <source>No login shows a QR code now</source>
        <translation>Zurzeit zeigt keine Anmeldung einen QR-Code</translation>
    </message>
    <message>
        <source>No login shows a QR code now.</source>
        <translation>Zurzeit zeigt keine Anmeldung einen QR-Code.</translation>
    </message>
    <message>
        <source>Phone number</source>
        <translation>Telefonnummer</translation>
    </message>
    <message>
        <source>QR code of a login</source>
        <translation>QR-Code einer Anmeldung</translation>
    </message>
    <message>
        <source>Save again</source>
        <translation>Erneut speichern</translation>
    </message>
    <message>
        <source>Scan the QR code</source>
        <translation>QR-Code scannen</translation>
    </message>
    <message>
        <source>Send code</source>
        <translation>Code senden</translation>
    </message>
    <message>
        <source>Telegram decides how you get the code. The next page tells you.</source>
        <translation>Telegram entscheidet, wie Sie den Code bekommen. Die nächste Seite sagt es.</translation>
    </message>
    <message>
        <source>The login of {name} shows one.</source>
        <translation>Die Anmeldung von {name} zeigt einen.</translation>
    </message>
    <message>
        <source>The phone of {phone} scanned it</source>
        <translation>Das Telefon {phone} hat ihn gescannt</translation>
    </message>
    <message>
        <source>Use QR instead</source>
        <translation>Mit QR-Code</translation>
    </message>
    <message>
        <source>Whose phone</source>
        <translation>Wessen Telefon</translation>
    </message>
</context>
<context>
    <name>Picker</name>
    <message>
        <source>Emoji</source>
        <translation>Emojis</translation>
    </message>
    <message>
        <source>No results</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <source>Search by name</source>
        <translation>Nach Namen suchen</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Suche läuft …</translation>
    </message>
    <message>
        <source>Stickers</source>
        <translation>Sticker</translation>
    </message>
    <message>
        <source>This agent has no stickers</source>
        <translation>Dieser Agent hat keine Sticker</translation>
    </message>
</context>
<context>
    <name>PictureViewer</name>
    <message>
        <source>100 %</source>
        <translation>100 %</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>Next picture</source>
        <translation>Nächstes Bild</translation>
    </message>
    <message>
        <source>Previous picture</source>
        <translation>Voriges Bild</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter …</translation>
    </message>
    <message>
        <source>Save the picture</source>
        <translation>Bild speichern</translation>
    </message>
    <message>
        <source>This is the first picture</source>
        <translation>Das ist das erste Bild</translation>
    </message>
    <message>
        <source>This is the last picture</source>
        <translation>Das ist das letzte Bild</translation>
    </message>
    <message>
        <source>{kind} from {who}</source>
        <translation>{kind} von {who}</translation>
    </message>
    <message>
        <source>{title}, {n} of {all}</source>
        <translation>{title}, {n} von {all}</translation>
    </message>
</context>
<context>
    <name>PlanChain</name>
    <message>
        <source>approved</source>
        <translation>freigegeben</translation>
    </message>
    <message>
        <source>asks you</source>
        <translation>fragt Sie</translation>
    </message>
    <message>
        <source>being sent</source>
        <translation>wird gesendet</translation>
    </message>
    <message>
        <source>block</source>
        <translation>Blockieren</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>done</source>
        <translation>erledigt</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>later</source>
        <translation>später</translation>
    </message>
    <message>
        <source>message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>next</source>
        <translation>danach</translation>
    </message>
    <message>
        <source>not chosen</source>
        <translation>nicht gewählt</translation>
    </message>
    <message>
        <source>observed</source>
        <translation>beobachtet</translation>
    </message>
    <message>
        <source>over</source>
        <translation>vorbei</translation>
    </message>
    <message>
        <source>rejected</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>remembers</source>
        <translation>merkt sich etwas</translation>
    </message>
    <message>
        <source>sticker</source>
        <translation>Sticker</translation>
    </message>
    <message>
        <source>sticker {it}</source>
        <translation>Sticker {it}</translation>
    </message>
    <message>
        <source>sticker {it} asks too</source>
        <translation>Sticker {it} fragt auch</translation>
    </message>
    <message>
        <source>stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>the next message</source>
        <translation>die nächste Nachricht</translation>
    </message>
    <message>
        <source>the next message asks too</source>
        <translation>die nächste Nachricht fragt auch</translation>
    </message>
    <message>
        <source>this text</source>
        <translation>dieser Text</translation>
    </message>
    <message>
        <source>types {time}</source>
        <translation>schreibt {time}</translation>
    </message>
    <message>
        <source>typing</source>
        <translation>schreibt</translation>
    </message>
    <message>
        <source>unblock</source>
        <translation>Blockierung aufheben</translation>
    </message>
    <message>
        <source>under way</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>waits {time}</source>
        <translation>wartet {time}</translation>
    </message>
    <message>
        <source>{it} asks too</source>
        <translation>{it} fragt auch</translation>
    </message>
    <message>
        <source>{n} h</source>
        <translation>{n} h</translation>
    </message>
    <message>
        <source>{n} min</source>
        <translation>{n} min</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} s</translation>
    </message>
</context>
<context>
    <name>PlanGraph</name>
    <message>
        <source>Plan as a picture</source>
        <translation>Plan als Bild</translation>
    </message>
</context>
<context>
    <name>PlanHistory</name>
    <message>
        <source>A step of it is not over yet.</source>
        <translation>Ein Schritt davon ist noch nicht beendet.</translation>
    </message>
    <message>
        <source>Answers {name}, {time}</source>
        <translation>Antwortet auf {name}, {time}</translation>
    </message>
    <message>
        <source>Answers {name}, {time}: “{text}”</source>
        <translation>Antwortet auf {name}, {time}: „{text}“</translation>
    </message>
    <message>
        <source>Answers {name}, {time}: “{text}” and {n} before it</source>
        <translation>Antwortet auf {name}, {time}: „{text}“ und {n} davor</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Ended at {time} before it was sent.</source>
        <translation>Um {time} beendet, bevor er gesendet war.</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Gescheitert</translation>
    </message>
    <message>
        <source>Failed at {time}.</source>
        <translation>Um {time} gescheitert.</translation>
    </message>
    <message>
        <source>Failed at {time}: {why}</source>
        <translation>Um {time} gescheitert: {why}</translation>
    </message>
    <message>
        <source>It took the place of a plan that you had edited. What you wrote is kept. Ended with that plan: {edits}.</source>
        <translation>Er ersetzt einen Plan, den Sie bearbeitet hatten. Was Sie geschrieben haben, bleibt erhalten. Mit jenem Plan sind hinfällig: {edits}.</translation>
    </message>
    <message>
        <source>No answer</source>
        <translation>Keine Antwort</translation>
    </message>
    <message>
        <source>No message caused it.</source>
        <translation>Keine Nachricht hat ihn ausgelöst.</translation>
    </message>
    <message>
        <source>Not over</source>
        <translation>Nicht beendet</translation>
    </message>
    <message>
        <source>Observed</source>
        <translation>Beobachtet</translation>
    </message>
    <message>
        <source>Only observed: nothing of it was to be sent.</source>
        <translation>Nur beobachtet: Nichts davon sollte gesendet werden.</translation>
    </message>
    <message>
        <source>Plan from {time}</source>
        <translation>Plan von {time}</translation>
    </message>
    <message>
        <source>Rejected</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <source>Rejected at {time}.</source>
        <translation>Um {time} abgelehnt.</translation>
    </message>
    <message>
        <source>Replaced</source>
        <translation>Ersetzt</translation>
    </message>
    <message>
        <source>Replaced at {time} by a newer plan.</source>
        <translation>Um {time} durch einen neueren Plan ersetzt.</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>Gesendet</translation>
    </message>
    <message>
        <source>Sent; the last of it at {time}.</source>
        <translation>Gesendet; das Letzte davon um {time}.</translation>
    </message>
    <message>
        <source>The agent had nothing to send.</source>
        <translation>Der Agent hatte nichts zu senden.</translation>
    </message>
    <message>
        <source>The message that it answers is not stored any more.</source>
        <translation>Die Nachricht, auf die er antwortet, ist nicht mehr gespeichert.</translation>
    </message>
    <message>
        <source>What you wrote is kept. Ended with the plan: {edits}.</source>
        <translation>Was Sie geschrieben haben, bleibt erhalten. Mit dem Plan sind hinfällig: {edits}.</translation>
    </message>
    <message>
        <source>changed waits</source>
        <translation>geänderte Pausen</translation>
    </message>
    <message>
        <source>copies of steps</source>
        <translation>Kopien von Schritten</translation>
    </message>
    <message>
        <source>inserted waits, stickers and files</source>
        <translation>eingefügte Pausen, Sticker und Dateien</translation>
    </message>
    <message>
        <source>skipped steps</source>
        <translation>übersprungene Schritte</translation>
    </message>
    <message>
        <source>your order of the steps</source>
        <translation>Ihre Reihenfolge der Schritte</translation>
    </message>
</context>
<context>
    <name>PlanRow</name>
    <message numerus="yes">
        <source>Approve all %n</source>
        <translation>
            <numerusform>Alle %n freigeben</numerusform>
            <numerusform>Alle %n freigeben</numerusform>
        </translation>
    </message>
    <message>
        <source>Approve {ready} of {all}</source>
        <translation>{ready} von {all} freigeben</translation>
    </message>
    <message numerus="yes">
        <source>Reject all %n</source>
        <translation>
            <numerusform>Alle %n ablehnen</numerusform>
            <numerusform>Alle %n ablehnen</numerusform>
        </translation>
    </message>
    <message>
        <source>Reject {ready} of {all}</source>
        <translation>{ready} von {all} ablehnen</translation>
    </message>
    <message>
        <source>Saving your decision…</source>
        <translation>Ihre Entscheidung wird gespeichert …</translation>
    </message>
</context>
<context>
    <name>PlanSteps</name>
    <message>
        <source>Approved</source>
        <translation>Freigegeben</translation>
    </message>
    <message>
        <source>Asks you</source>
        <translation>Fragt Sie</translation>
    </message>
    <message>
        <source>Being made</source>
        <translation>Wird gemacht</translation>
    </message>
    <message>
        <source>Being sent</source>
        <translation>Wird gesendet</translation>
    </message>
    <message>
        <source>Block the partner</source>
        <translation>Partner blockieren</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Clear the conversation</source>
        <translation>Unterhaltung leeren</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Earlier plans can't be changed.</source>
        <translation>Frühere Pläne lassen sich nicht ändern.</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Gescheitert</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Als Nächstes</translation>
    </message>
    <message>
        <source>Not chosen</source>
        <translation>Nicht gewählt</translation>
    </message>
    <message>
        <source>Observed only</source>
        <translation>Nur beobachtet</translation>
    </message>
    <message>
        <source>Perhaps sent</source>
        <translation>Vielleicht gesendet</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Rejected</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>Gesendet</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>Übersprungen</translation>
    </message>
    <message>
        <source>Sticker</source>
        <translation>Sticker</translation>
    </message>
    <message>
        <source>Stop the agent</source>
        <translation>Agent anhalten</translation>
    </message>
    <message>
        <source>There is nothing to undo in this plan.</source>
        <translation>In diesem Plan gibt es nichts rückgängig zu machen.</translation>
    </message>
    <message>
        <source>Unblock the partner</source>
        <translation>Blockierung des Partners aufheben</translation>
    </message>
    <message>
        <source>Wait {time}</source>
        <translation>{time} Pause</translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>decided by you</source>
        <translation>von Ihnen entschieden</translation>
    </message>
    <message>
        <source>try {n} of {most}</source>
        <translation>Versuch {n} von {most}</translation>
    </message>
</context>
<context>
    <name>PlanTabs</name>
    <message>
        <source>Earlier plans</source>
        <translation>Frühere Pläne</translation>
    </message>
</context>
<context>
    <name>PlannedActions</name>
    <message>
        <source>Blocks {who} on the account of {agent}. {who} can then neither write to {agent} nor see when {agent} is online. You can unblock later; {who} may notice.</source>
        <translation>Blockiert {who} auf dem Konto von {agent}. {who} kann {agent} dann weder schreiben noch sehen, wann {agent} online ist. Das lässt sich später aufheben; {who} kann es bemerken.</translation>
    </message>
    <message>
        <source>Deletes this conversation from the account of {agent}, up to the newest message you see here. {who} keeps a copy. It cannot be brought back.</source>
        <translation>Löscht dieses Gespräch vom Konto von {agent}, bis zur neuesten Nachricht, die hier zu sehen ist. {who} behält eine Kopie. Es lässt sich nicht zurückholen.</translation>
    </message>
    <message>
        <source>Reason: {reason}</source>
        <translation>Grund: {reason}</translation>
    </message>
    <message>
        <source>Stops {agent}: it disconnects and answers nobody until you start it again.</source>
        <translation>Stoppt {agent}: die Verbindung wird getrennt, und niemand bekommt eine Antwort, bis Sie den Agenten wieder starten.</translation>
    </message>
    <message>
        <source>Unblocks {who} on the account of {agent}: {who} can write to {agent} again.</source>
        <translation>Hebt die Blockierung von {who} auf dem Konto von {agent} auf: {who} kann {agent} wieder schreiben.</translation>
    </message>
</context>
<context>
    <name>PlansPane</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Follow the step that runs</source>
        <translation>Dem laufenden Schritt folgen</translation>
    </message>
    <message>
        <source>Larger (plus)</source>
        <translation>Größer (Plus)</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>No chat is open</source>
        <translation>Kein Chat ist offen</translation>
    </message>
    <message>
        <source>Nothing is planned here</source>
        <translation>Hier ist nichts geplant</translation>
    </message>
    <message>
        <source>Open a chat to see what is planned in it.</source>
        <translation>Öffnen Sie einen Chat, um zu sehen, was darin geplant ist.</translation>
    </message>
    <message>
        <source>Show the whole plan (0)</source>
        <translation>Ganzen Plan zeigen (0)</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>Smaller (minus)</source>
        <translation>Kleiner (Minus)</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Try now</source>
        <translation>Jetzt versuchen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>When the agent plans an answer, its steps are shown here.</source>
        <translation>Wenn der Agent eine Antwort plant, stehen ihre Schritte hier.</translation>
    </message>
</context>
<context>
    <name>PostgresForm</name>
    <message>
        <source>All memories are copied into this database, to be searched there.</source>
        <translation>Alle Erinnerungen werden in diese Datenbank kopiert und dort gesucht.</translation>
    </message>
    <message>
        <source>Connection string</source>
        <translation>Verbindung</translation>
    </message>
</context>
<context>
    <name>PreferenceRow</name>
    <message>
        <source>Reset to {default}</source>
        <translation>Auf {default} zurücksetzen</translation>
    </message>
    <message>
        <source>{title}: reset to {default}</source>
        <translation>{title}: auf {default} zurücksetzen</translation>
    </message>
    <message>
        <source>{words} Default: {default}.</source>
        <translation>{words} Standard: {default}.</translation>
    </message>
</context>
<context>
    <name>PreferencesPane</name>
    <message>
        <source>Caps on money a day, for everything, an agent or a chat, are set in Costs.</source>
        <translation>Grenzen für Geld je Tag, für alles, einen Agenten oder einen Chat, setzen Sie unter „Kosten“.</translation>
    </message>
    <message>
        <source>Changed from default: {n}</source>
        <translation>Vom Standard abweichend: {n}</translation>
    </message>
    <message>
        <source>Changes apply immediately.</source>
        <translation>Änderungen gelten sofort.</translation>
    </message>
    <message>
        <source>Connected accounts stay connected. No others can connect until you set a new one.</source>
        <translation>Verbundene Konten bleiben verbunden. Andere können sich erst verbinden, wenn Sie eine neue eintragen.</translation>
    </message>
    <message>
        <source>Daily cap…</source>
        <translation>Tagesgrenze …</translation>
    </message>
    <message>
        <source>Memories are indexed in a file again. What the database has of them stays there.</source>
        <translation>Erinnerungen stehen dann wieder in einer Datei. Was die Datenbank davon hat, bleibt dort.</translation>
    </message>
    <message>
        <source>No matching settings</source>
        <translation>Keine passenden Einstellungen</translation>
    </message>
    <message>
        <source>Nothing is planned until you set a new one.</source>
        <translation>Geplant wird erst wieder, wenn Sie einen neuen eintragen.</translation>
    </message>
    <message>
        <source>Nothing to reset</source>
        <translation>Nichts zurückzusetzen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove the Gemini API key?</source>
        <translation>Gemini-API-Schlüssel entfernen?</translation>
    </message>
    <message>
        <source>Remove the Telegram application?</source>
        <translation>Telegram-Anwendung entfernen?</translation>
    </message>
    <message>
        <source>Remove the connection to PostgreSQL?</source>
        <translation>Die Verbindung zu PostgreSQL entfernen?</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>Einstellungen durchsuchen</translation>
    </message>
    <message>
        <source>Today for everything: {spent}</source>
        <translation>Heute für alles: {spent}</translation>
    </message>
    <message>
        <source>Today: {spent}, no daily cap</source>
        <translation>Heute: {spent}, keine Tagesgrenze</translation>
    </message>
    <message>
        <source>Try another word, such as undo, cap or key.</source>
        <translation>Ein anderes Wort versuchen, etwa Rückgängig, Obergrenze oder Schlüssel.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>{page}: reset to defaults</source>
        <translation>{page}: auf Standard zurückgesetzt</translation>
    </message>
</context>
<context>
    <name>Presence</name>
    <message>
        <source>No system tray found, so Chimein started minimised</source>
        <translation>Kein Infobereich gefunden, darum ist Chimein minimiert gestartet</translation>
    </message>
</context>
<context>
    <name>PricePage</name>
    <message>
        <source>Back to the costs</source>
        <translation>Zurück zu den Kosten</translation>
    </message>
    <message>
        <source>Prices of models</source>
        <translation>Preise der Modelle</translation>
    </message>
    <message>
        <source>Remove your price</source>
        <translation>Eigenen Preis entfernen</translation>
    </message>
    <message>
        <source>US dollars per million tokens. A change counts for calls from now on; earlier calls keep their cost.</source>
        <translation>US-Dollar je Million Token. Eine Änderung gilt für Aufrufe ab jetzt; frühere behalten ihre Kosten.</translation>
    </message>
</context>
<context>
    <name>PriceTable</name>
    <message>
        <source>Add a model…</source>
        <translation>Modell hinzufügen …</translation>
    </message>
    <message>
        <source>Cached</source>
        <translation>Im Cache</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Reply and thinking</source>
        <translation>Antwort und Denken</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>Seit</translation>
    </message>
    <message>
        <source>as prompt</source>
        <translation>wie Prompt</translation>
    </message>
    <message>
        <source>built in</source>
        <translation>eingebaut</translation>
    </message>
</context>
<context>
    <name>ProblemCommands</name>
    <message>
        <source>What happened</source>
        <translation>Was geschehen ist</translation>
    </message>
</context>
<context>
    <name>ProblemList</name>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
</context>
<context>
    <name>ProblemRow</name>
    <message>
        <source>Allow link</source>
        <translation>Link erlauben</translation>
    </message>
    <message>
        <source>Allow the link to {file}</source>
        <translation>Den Link auf {file} erlauben</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Edit {file}</source>
        <translation>{file} bearbeiten</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Open the folder of {file}</source>
        <translation>Ordner von {file} öffnen</translation>
    </message>
    <message>
        <source>The previous version is in use.</source>
        <translation>Die vorige Version wird verwendet.</translation>
    </message>
    <message>
        <source>The rest of the file is in use.</source>
        <translation>Der Rest der Datei wird verwendet.</translation>
    </message>
</context>
<context>
    <name>PromptCopies</name>
    <message>
        <source>Copy as Markdown</source>
        <translation>Als Markdown kopieren</translation>
    </message>
    <message>
        <source>Copy the chosen part</source>
        <translation>Gewählten Teil kopieren</translation>
    </message>
    <message>
        <source>Copy the request as JSON</source>
        <translation>Anfrage als JSON kopieren</translation>
    </message>
    <message>
        <source>Copy the system instruction</source>
        <translation>Systemanweisung kopieren</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Prompt saved</source>
        <translation>Prompt gespeichert</translation>
    </message>
    <message>
        <source>Save as Markdown…</source>
        <translation>Als Markdown speichern…</translation>
    </message>
    <message>
        <source>Save the prompt</source>
        <translation>Prompt speichern</translation>
    </message>
    <message>
        <source>Save the request as JSON…</source>
        <translation>Anfrage als JSON speichern…</translation>
    </message>
    <message>
        <source>The prompt was not saved: {why}</source>
        <translation>Der Prompt wurde nicht gespeichert: {why}</translation>
    </message>
</context>
<context>
    <name>PromptDiff</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln Token</numerusform>
            <numerusform>%Ln Tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) the same</source>
        <translation>
            <numerusform>%n Zeile gleich</numerusform>
            <numerusform>%n Zeilen gleich</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n part(s) the same</source>
        <translation>
            <numerusform>%n Teil gleich</numerusform>
            <numerusform>%n Teile gleich</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>+%Ln token(s)</source>
        <translation>
            <numerusform>+%Ln Token</numerusform>
            <numerusform>+%Ln Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>Added, line {n}: {text}</source>
        <translation>Hinzugefügt, Zeile {n}: {text}</translation>
    </message>
    <message>
        <source>Line {n}: {text}</source>
        <translation>Zeile {n}: {text}</translation>
    </message>
    <message>
        <source>Removed, line {n}: {text}</source>
        <translation>Entfernt, Zeile {n}: {text}</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>entfallen</translation>
    </message>
    <message>
        <source>new</source>
        <translation>neu</translation>
    </message>
    <message>
        <source>same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>{first} to {last}</source>
        <translation>{first} bis {last}</translation>
    </message>
    <message>
        <source>{same}: {names} · {tokens}</source>
        <translation>{same}: {names} · {tokens}</translation>
    </message>
    <message numerus="yes">
        <source>−%Ln token(s)</source>
        <translation>
            <numerusform>−%Ln Token</numerusform>
            <numerusform>−%Ln Tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PromptExport</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln Token</numerusform>
            <numerusform>%Ln Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>Prompt for {model}</source>
        <translation>Prompt für {model}</translation>
    </message>
</context>
<context>
    <name>PromptHead</name>
    <message numerus="yes">
        <source>%Ln token(s) in</source>
        <translation>
            <numerusform>%Ln Token Eingabe</numerusform>
            <numerusform>%Ln Tokens Eingabe</numerusform>
        </translation>
    </message>
    <message>
        <source>An attempt without a plan</source>
        <translation>Ein Versuch ohne Plan</translation>
    </message>
    <message>
        <source>Another version</source>
        <translation>Andere Fassung</translation>
    </message>
    <message>
        <source>Build it again</source>
        <translation>Neu zusammenstellen</translation>
    </message>
    <message>
        <source>Call of the plan</source>
        <translation>Aufruf des Plans</translation>
    </message>
    <message>
        <source>Call {n}: {call}</source>
        <translation>Aufruf {n}: {call}</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Count exactly</source>
        <translation>Genau zählen</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Open source</source>
        <translation>Quelle öffnen</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Plan {number}</source>
        <translation>Plan {number}</translation>
    </message>
    <message>
        <source>Prompt of</source>
        <translation>Prompt von</translation>
    </message>
    <message>
        <source>Repair</source>
        <translation>Korrektur</translation>
    </message>
    <message>
        <source>Round of tools</source>
        <translation>Runde mit Werkzeugen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search the prompt</source>
        <translation>Prompt durchsuchen</translation>
    </message>
    <message>
        <source>Show where</source>
        <translation>Stelle zeigen</translation>
    </message>
    <message>
        <source>Stop counting</source>
        <translation>Zählen abbrechen</translation>
    </message>
    <message>
        <source>What would be sent now</source>
        <translation>Was jetzt gesendet würde</translation>
    </message>
    <message>
        <source>call {n}</source>
        <translation>Aufruf {n}</translation>
    </message>
    <message>
        <source>counting: {n} of {of}</source>
        <translation>wird gezählt: {n} von {of}</translation>
    </message>
    <message>
        <source>counting…</source>
        <translation>wird gezählt …</translation>
    </message>
    <message>
        <source>estimate</source>
        <translation>geschätzt</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>genau</translation>
    </message>
    <message>
        <source>exact, parts estimated</source>
        <translation>genau, Teile geschätzt</translation>
    </message>
    <message>
        <source>for {model}, built just now</source>
        <translation>für {model}, gerade zusammengestellt</translation>
    </message>
    <message>
        <source>for {model}, sent {time}</source>
        <translation>für {model}, gesendet {time}</translation>
    </message>
    <message>
        <source>the call of {time}</source>
        <translation>dem Aufruf von {time}</translation>
    </message>
    <message>
        <source>{plan} (current)</source>
        <translation>{plan} (aktuell)</translation>
    </message>
    <message>
        <source>{purpose}, {time}</source>
        <translation>{purpose}, {time}</translation>
    </message>
    <message>
        <source>{words} · not counted: {problem}</source>
        <translation>{words} · nicht gezählt: {problem}</translation>
    </message>
    <message>
        <source>{words}, without an answer</source>
        <translation>{words}, ohne Antwort</translation>
    </message>
</context>
<context>
    <name>PromptPane</name>
    <message>
        <source>No chat is open</source>
        <translation>Kein Chat ist geöffnet</translation>
    </message>
    <message>
        <source>No prompt is stored of this plan</source>
        <translation>Von diesem Plan ist kein Prompt gespeichert</translation>
    </message>
    <message>
        <source>Nothing in this chat waits for an answer, so no call would be made now. One would hold this.</source>
        <translation>In diesem Chat wartet nichts auf eine Antwort; jetzt würde das Modell nicht gefragt. Ein Aufruf enthielte dies.</translation>
    </message>
    <message>
        <source>Open a chat to see what the model gets of it.</source>
        <translation>Öffnen Sie einen Chat, um zu sehen, was das Modell davon bekommt.</translation>
    </message>
    <message>
        <source>Prompts are kept as long as traces. Plans of earlier versions, and your own messages, have none.</source>
        <translation>Prompts werden so lange aufbewahrt wie Traces. Pläne früherer Versionen und Ihre eigenen Nachrichten haben keinen.</translation>
    </message>
    <message>
        <source>Reading the prompt…</source>
        <translation>Prompt wird gelesen…</translation>
    </message>
    <message>
        <source>The prompt can't be read</source>
        <translation>Der Prompt kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>Trace</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
</context>
<context>
    <name>PromptParts</name>
    <message numerus="yes">
        <source>%Ln character(s)</source>
        <translation>
            <numerusform>%Ln Zeichen</numerusform>
            <numerusform>%Ln Zeichen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n function(s)</source>
        <translation>
            <numerusform>%n Funktion</numerusform>
            <numerusform>%n Funktionen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) or entries over the limit of a prompt</source>
        <translation>
            <numerusform>%n Zeile oder Eintrag über der Grenze eines Prompts</numerusform>
            <numerusform>%n Zeilen oder Einträge über der Grenze eines Prompts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) of other conversations</source>
        <translation>
            <numerusform>%n Nachricht anderer Gespräche</numerusform>
            <numerusform>%n Nachrichten anderer Gespräche</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) over the limit of a prompt</source>
        <translation>
            <numerusform>%n Nachricht über der Grenze eines Prompts</numerusform>
            <numerusform>%n Nachrichten über der Grenze eines Prompts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s), by you</source>
        <translation>
            <numerusform>%n Nachricht, von Ihnen</numerusform>
            <numerusform>%n Nachrichten, von Ihnen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s): a fixed history takes none</source>
        <translation>
            <numerusform>%n Nachricht: Ein fester Verlauf nimmt keine</numerusform>
            <numerusform>%n Nachrichten: Ein fester Verlauf nimmt keine</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s): deleted, or not stored</source>
        <translation>
            <numerusform>%n Nachricht: gelöscht oder nicht gespeichert</numerusform>
            <numerusform>%n Nachrichten: gelöscht oder nicht gespeichert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n Token</numerusform>
            <numerusform>%n Token</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n turn(s)</source>
        <translation>
            <numerusform>%n Beitrag</numerusform>
            <numerusform>%n Beiträge</numerusform>
        </translation>
    </message>
    <message>
        <source>Added by the provider</source>
        <translation>Kommt vom Anbieter hinzu</translation>
    </message>
    <message numerus="yes">
        <source>All before the newest %n: the history holds no more</source>
        <translation>
            <numerusform>Alle vor der neuesten: Mehr enthält der Verlauf nicht</numerusform>
            <numerusform>Alle vor den neuesten %n: Mehr enthält der Verlauf nicht</numerusform>
        </translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Counted by the provider</source>
        <translation>Vom Anbieter gezählt</translation>
    </message>
    <message>
        <source>Counted; the parts are estimated</source>
        <translation>Gezählt; die Teile sind geschätzt</translation>
    </message>
    <message>
        <source>Estimated</source>
        <translation>Geschätzt</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Erinnerungen</translation>
    </message>
    <message>
        <source>Memory below the best 5 (no. {rank}, {fit})</source>
        <translation>Erinnerung hinter den besten 5 (Nr. {rank}, {fit})</translation>
    </message>
    <message>
        <source>Memory that fits by {figure}: {text}</source>
        <translation>Erinnerung, passt zu {figure}: {text}</translation>
    </message>
    <message>
        <source>Memory, no room (no. {rank}, {fit})</source>
        <translation>Erinnerung, kein Platz (Nr. {rank}, {fit})</translation>
    </message>
    <message>
        <source>Memory, too weak (no. {rank}, {fit})</source>
        <translation>Erinnerung, zu schwach (Nr. {rank}, {fit})</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>No more web pages are looked up in this call</source>
        <translation>In diesem Aufruf werden keine weiteren Webseiten nachgeschlagen</translation>
    </message>
    <message>
        <source>Not offered in this call</source>
        <translation>In diesem Aufruf nicht angeboten</translation>
    </message>
    <message>
        <source>Overhead</source>
        <translation>Zuschlag</translation>
    </message>
    <message>
        <source>Pinned in</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>Pinned out</source>
        <translation>Ausgeschlossen</translation>
    </message>
    <message>
        <source>The target replies to no stored message</source>
        <translation>Das Ziel antwortet auf keine gespeicherte Nachricht</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>Web page that was looked up</source>
        <translation>Nachgeschlagene Webseite</translation>
    </message>
    <message>
        <source>Written by Chimein</source>
        <translation>Von Chimein geschrieben</translation>
    </message>
    <message>
        <source>You have not left one</source>
        <translation>Sie haben keine hinterlassen</translation>
    </message>
    <message>
        <source>fits {n}</source>
        <translation>passt zu {n}</translation>
    </message>
    <message>
        <source>probably used</source>
        <translation>vermutlich verwendet</translation>
    </message>
    <message>
        <source>{file}, line {n}</source>
        <translation>{file}, Zeile {n}</translation>
    </message>
    <message>
        <source>{file}, lines {first}–{last}</source>
        <translation>{file}, Zeilen {first}–{last}</translation>
    </message>
    <message>
        <source>{n} %</source>
        <translation>{n} %</translation>
    </message>
    <message>
        <source>{path} can't be read</source>
        <translation>{path} kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>{title}, left out: {reason}</source>
        <translation>{title}, weggelassen: {reason}</translation>
    </message>
    <message>
        <source>{turns}, {own} by the agent</source>
        <translation>{turns}, {own} vom Agenten</translation>
    </message>
</context>
<context>
    <name>PromptSide</name>
    <message>
        <source>An example</source>
        <translation>Ein Beispiel</translation>
    </message>
    <message>
        <source>Marta</source>
        <translation>Marta</translation>
    </message>
    <message>
        <source>Nora</source>
        <translation>Nora</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Preview for</source>
        <translation>Vorschau für</translation>
    </message>
    <message>
        <source>{agent} with {partner}</source>
        <translation>{agent} mit {partner}</translation>
    </message>
</context>
<context>
    <name>ProposalView</name>
    <message>
        <source>Entry {number}</source>
        <translation>Eintrag {number}</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>It would be used in</source>
        <translation>Sie würde benutzt in</translation>
    </message>
    <message>
        <source>Its messages are not there any more.</source>
        <translation>Ihre Nachrichten gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>Keep both</source>
        <translation>Beide behalten</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>Vereinen</translation>
    </message>
    <message>
        <source>Merge into entry {number}</source>
        <translation>Mit Eintrag {number} vereinen</translation>
    </message>
    <message>
        <source>Merged suggestion</source>
        <translation>Vorschlag, vereint</translation>
    </message>
    <message>
        <source>Open in chat</source>
        <translation>Im Chat öffnen</translation>
    </message>
    <message>
        <source>Proposed memory</source>
        <translation>Vorgeschlagene Erinnerung</translation>
    </message>
    <message>
        <source>Text of the proposed memory</source>
        <translation>Text der vorgeschlagenen Erinnerung</translation>
    </message>
    <message>
        <source>Very close to what is already remembered</source>
        <translation>Sehr nahe an schon Gemerktem</translation>
    </message>
    <message>
        <source>Where it comes from</source>
        <translation>Woher sie stammt</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>in the next prompt</source>
        <translation>im nächsten Prompt</translation>
    </message>
    <message>
        <source>said by {person}</source>
        <translation>gesagt von {person}</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>{number} von {count}</translation>
    </message>
    <message>
        <source>{score} by meaning</source>
        <translation>{score} nach Bedeutung</translation>
    </message>
    <message>
        <source>{score} by words</source>
        <translation>{score} nach Wörtern</translation>
    </message>
</context>
<context>
    <name>Proxies</name>
    <message>
        <source>A link has no spaces and starts with socks5://, http://, tg:// or https://t.me/proxy.</source>
        <translation>Ein Link hat keine Leerzeichen und beginnt mit socks5://, http://, tg:// oder https://t.me/proxy.</translation>
    </message>
    <message>
        <source>A name or address has no spaces, slashes or @.</source>
        <translation>Ein Name oder eine Adresse hat keine Leerzeichen, Schrägstriche oder @.</translation>
    </message>
    <message>
        <source>A password needs a username.</source>
        <translation>Zu einem Passwort gehört ein Benutzername.</translation>
    </message>
    <message>
        <source>A port is a number from 1 to {most}.</source>
        <translation>Ein Port ist eine Zahl von 1 bis {most}.</translation>
    </message>
    <message>
        <source>A secret has 32 hexadecimal characters, or dd and 32 more.</source>
        <translation>Ein Geheimnis hat 32 hexadezimale Zeichen oder dd und 32 weitere.</translation>
    </message>
    <message>
        <source>Paste a link, such as socks5://proxy.example:1080 or tg://proxy?…</source>
        <translation>Einen Link einfügen, etwa socks5://proxy.example:1080 oder tg://proxy?…</translation>
    </message>
    <message>
        <source>This is a full link. Paste it under Link.</source>
        <translation>Das ist ein ganzer Link: bitte unter „Link“ einfügen.</translation>
    </message>
    <message>
        <source>This secret needs fake TLS (it begins with ee), which is not supported. Ask for one with dd.</source>
        <translation>Dieses Geheimnis verlangt Fake-TLS (es beginnt mit ee); das wird nicht unterstützt. Bitten Sie um eines mit dd.</translation>
    </message>
    <message>
        <source>Where is the proxy? A name such as proxy.example, or a numeric address.</source>
        <translation>Wo ist der Proxy? Ein Name wie proxy.example oder eine numerische Adresse.</translation>
    </message>
</context>
<context>
    <name>ProxyDialog</name>
    <message>
        <source>All of this account's Telegram traffic goes through it. Other accounts are not affected.</source>
        <translation>Der ganze Telegram-Verkehr dieses Kontos läuft darüber. Die anderen Konten sind nicht betroffen.</translation>
    </message>
    <message>
        <source>Changing the proxy…</source>
        <translation>Proxy wird geändert …</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Connect without</source>
        <translation>Ohne verbinden</translation>
    </message>
    <message>
        <source>Experimental: MTProxy was tested with our own proxy only. Secrets that begin with ee (fake TLS) are not supported.</source>
        <translation>Experimentell: MTProxy wurde nur mit einem eigenen Proxy geprüft. Geheimnisse, die mit ee beginnen (Fake-TLS), werden nicht unterstützt.</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>Kind of proxy</source>
        <translation>Art des Proxys</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>Link</translation>
    </message>
    <message>
        <source>No proxy</source>
        <translation>Kein Proxy</translation>
    </message>
    <message>
        <source>Not possible in this run</source>
        <translation>In diesem Lauf nicht möglich</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Port</translation>
    </message>
    <message>
        <source>Proxy of {name}</source>
        <translation>Proxy von {name}</translation>
    </message>
    <message>
        <source>Save and connect</source>
        <translation>Speichern und verbinden</translation>
    </message>
    <message>
        <source>Secret</source>
        <translation>Geheimnis</translation>
    </message>
    <message>
        <source>Username</source>
        <translation>Benutzername</translation>
    </message>
    <message>
        <source>may be empty</source>
        <translation>darf leer sein</translation>
    </message>
</context>
<context>
    <name>PuttingAway</name>
    <message>
        <source>Edit saved for {who}</source>
        <translation>Bearbeitung gespeichert: {who}</translation>
    </message>
    <message>
        <source>Edit still open for {who}</source>
        <translation>Bearbeitung noch offen: {who}</translation>
    </message>
    <message>
        <source>Keep writing</source>
        <translation>Weiterschreiben</translation>
    </message>
</context>
<context>
    <name>QrPage</name>
    <message>
        <source>New code in {time}</source>
        <translation>Neuer Code in {time}</translation>
    </message>
    <message>
        <source>QR code to scan with the phone of this account</source>
        <translation>QR-Code zum Scannen mit dem Telefon dieses Kontos</translation>
    </message>
    <message>
        <source>Save again</source>
        <translation>Erneut speichern</translation>
    </message>
    <message>
        <source>Show a new code</source>
        <translation>Neuen Code zeigen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Use phone number</source>
        <translation>Telefonnummer verwenden</translation>
    </message>
</context>
<context>
    <name>QuietHours</name>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Nothing is sent automatically between these times, in the agent's time zone.</source>
        <translation>Zwischen diesen Zeiten wird nichts automatisch gesendet, in der Zeitzone des Agenten.</translation>
    </message>
    <message>
        <source>Quiet hours</source>
        <translation>Ruhezeiten</translation>
    </message>
    <message>
        <source>Set quiet hours</source>
        <translation>Ruhezeiten festlegen</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
</context>
<context>
    <name>Quotes</name>
    <message>
        <source>“{words}”</source>
        <translation>„{words}“</translation>
    </message>
</context>
<context>
    <name>Rail</name>
    <message>
        <source>All commands</source>
        <translation>Alle Befehle</translation>
    </message>
    <message>
        <source>Inspect</source>
        <translation>Untersuchen</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>Menü</translation>
    </message>
    <message>
        <source>Panes</source>
        <translation>Bereiche</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
</context>
<context>
    <name>RailButton</name>
    <message>
        <source>{n} waiting</source>
        <translation>{n} offen</translation>
    </message>
    <message>
        <source>{waiting}, oldest {age}</source>
        <translation>{waiting}, älteste {age}</translation>
    </message>
</context>
<context>
    <name>RateTable</name>
    <message>
        <source>Edit rate of agents and chats</source>
        <translation>Änderungsquote von Agenten und Chats</translation>
    </message>
</context>
<context>
    <name>ReadMode</name>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>%n Treffer</numerusform>
            <numerusform>%n Treffer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n marker(s) escaped</source>
        <translation>
            <numerusform>%n Markierung entschärft</numerusform>
            <numerusform>%n Markierungen entschärft</numerusform>
        </translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Contents, oldest first</source>
        <translation>Inhalt, Ältestes zuerst</translation>
    </message>
    <message>
        <source>Copy part</source>
        <translation>Teil kopieren</translation>
    </message>
    <message>
        <source>Open source</source>
        <translation>Quelle öffnen</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Lesen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>Abschnitte</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>What others write can't pose as a header, a block or the end of a page</source>
        <translation>Was andere schreiben, kann sich nicht als Kopfzeile, Block oder Ende einer Seite ausgeben</translation>
    </message>
    <message>
        <source>{n} of {total}</source>
        <translation>{n} von {total}</translation>
    </message>
</context>
<context>
    <name>Reasons</name>
    <message numerus="yes">
        <source>%n draft(s) of the old account will not be sent. {why}</source>
        <translation>
            <numerusform>%n Entwurf des alten Kontos wird nicht gesendet. {why}</numerusform>
            <numerusform>%n Entwürfe des alten Kontos werden nicht gesendet. {why}</numerusform>
        </translation>
    </message>
    <message>
        <source>A cap is an amount in US dollars, not below 0.</source>
        <translation>Eine Grenze ist ein Betrag in US-Dollar, nicht unter 0.</translation>
    </message>
    <message>
        <source>A code was asked for too often with this number. Try again later, or use the QR code.</source>
        <translation>Für diese Nummer wurde zu oft ein Code angefordert. Versuchen Sie es später noch einmal, oder nehmen Sie den QR-Code.</translation>
    </message>
    <message>
        <source>A file could not be saved: {words}.</source>
        <translation>Eine Datei ließ sich nicht speichern: {words}.</translation>
    </message>
    <message>
        <source>A memory could not be written. {why}</source>
        <translation>Eine Erinnerung ließ sich nicht schreiben. {why}</translation>
    </message>
    <message>
        <source>A newer message came. Your instruction is used for the plan that answers it.</source>
        <translation>Eine neuere Nachricht kam. Ihre Anweisung gilt für den Plan, der sie beantwortet.</translation>
    </message>
    <message>
        <source>A newer message is waiting to be planned. Your instruction is used for it.</source>
        <translation>Eine neuere Nachricht wartet auf ihren Plan. Ihre Anweisung gilt dafür.</translation>
    </message>
    <message>
        <source>A part of it was sent or may have been, so it stays where it is.</source>
        <translation>Ein Teil davon wurde gesendet, oder vielleicht gesendet. Darum bleibt es an seiner Stelle.</translation>
    </message>
    <message>
        <source>A proxy address ends with its port. {why}</source>
        <translation>Eine Proxy-Adresse endet mit dem Port. {why}</translation>
    </message>
    <message>
        <source>A proxy address is short and has no spaces or control characters. {why}</source>
        <translation>Eine Proxy-Adresse ist kurz und enthält weder Leer- noch Steuerzeichen. {why}</translation>
    </message>
    <message>
        <source>A read of the database tried to write.</source>
        <translation>Beim Lesen der Datenbank sollte geschrieben werden.</translation>
    </message>
    <message>
        <source>A step could not be finished. {why}</source>
        <translation>Ein Schritt ließ sich nicht abschließen. {why}</translation>
    </message>
    <message numerus="yes">
        <source>A text of the character has more than %n characters without a space, as nothing that people write. Use another copy of the card.</source>
        <translation>
            <numerusform>Ein Text des Charakters hat mehr als %n Zeichen ohne Leerzeichen, wie nichts, was Menschen schreiben. Verwenden Sie eine andere Kopie der Karte.</numerusform>
            <numerusform>Ein Text des Charakters hat mehr als %n Zeichen ohne Leerzeichen, wie nichts, was Menschen schreiben. Verwenden Sie eine andere Kopie der Karte.</numerusform>
        </translation>
    </message>
    <message>
        <source>A wait lasts from 0 seconds to 24 hours.</source>
        <translation>Eine Pause dauert 0 Sekunden bis 24 Stunden.</translation>
    </message>
    <message>
        <source>All agents continue unchanged. Retrying until it works.</source>
        <translation>Alle Agenten laufen weiter wie bisher. Es wird versucht, bis es gelingt.</translation>
    </message>
    <message>
        <source>All agents continue unchanged; changes to their files are applied later. It restarts automatically. See the log.</source>
        <translation>Alle Agenten laufen weiter wie bisher; Änderungen ihrer Dateien werden später übernommen. Der Neustart folgt automatisch. Näheres steht im Protokoll.</translation>
    </message>
    <message>
        <source>An MTProxy needs its secret: &amp;secret=… at the end of the link.</source>
        <translation>Ein MTProxy braucht sein Geheimnis: &amp;secret=… am Ende des Links.</translation>
    </message>
    <message>
        <source>An update from Telegram could not be stored ({words}).</source>
        <translation>Eine Aktualisierung von Telegram ließ sich nicht speichern ({words}).</translation>
    </message>
    <message>
        <source>Another program has changed this description. Nothing was saved.</source>
        <translation>Ein anderes Programm hat diese Beschreibung geändert. Nichts wurde gespeichert.</translation>
    </message>
    <message>
        <source>Another program has it locked. Close that program, then try again.</source>
        <translation>Ein anderes Programm sperrt sie. Schließen Sie es, und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
        <source>Another version of this plan is already being written.</source>
        <translation>Eine andere Version dieses Plans wird schon geschrieben.</translation>
    </message>
    <message>
        <source>Approved messages wait. It restarts automatically. See the log.</source>
        <translation>Freigegebene Nachrichten warten. Der Neustart folgt automatisch. Näheres steht im Protokoll.</translation>
    </message>
    <message>
        <source>Both are needed to log in and to connect. Set both environment variables, CHIMEIN_TELEGRAM_API_ID and CHIMEIN_TELEGRAM_API_HASH, or enter both in Preferences.</source>
        <translation>Beide sind nötig, um sich anzumelden und zu verbinden. Setzen Sie beide Umgebungsvariablen, CHIMEIN_TELEGRAM_API_ID und CHIMEIN_TELEGRAM_API_HASH, oder tragen Sie beide in den Einstellungen ein.</translation>
    </message>
    <message>
        <source>Changes of agent files could not be applied. {why}</source>
        <translation>Änderungen an Agentendateien ließen sich nicht übernehmen. {why}</translation>
    </message>
    <message>
        <source>Check whether the disk is full, failing or missing, then try again.</source>
        <translation>Prüfen Sie, ob der Datenträger voll, defekt oder weg ist, und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
        <source>Checking drafts against newer messages stopped after an unexpected error ({more}).</source>
        <translation>Der Abgleich von Entwürfen mit neueren Nachrichten endete nach einem unerwarteten Fehler ({more}).</translation>
    </message>
    <message>
        <source>Checking first whether a message was delivered. Try again in a moment.</source>
        <translation>Erst wird geprüft, ob eine Nachricht ankam; versuchen Sie es gleich noch einmal.</translation>
    </message>
    <message>
        <source>Chimein did not write {words}. Remove it, or set CHIMEIN_STATE_DIR to another folder.</source>
        <translation>Chimein hat {words} nicht geschrieben. Entfernen Sie die Datei oder setzen Sie CHIMEIN_STATE_DIR auf einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Chimein is already running with the data folder {words} (process {n}).</source>
        <translation>Chimein läuft schon mit dem Datenordner {words} (Prozess {n}).</translation>
    </message>
    <message>
        <source>Chimein is already running with the data folder {words}.</source>
        <translation>Chimein läuft schon mit dem Datenordner {words}.</translation>
    </message>
    <message>
        <source>Chimein is already running with this data folder on another computer ({more}, process {n}). If it is not, remove {words} and start again.</source>
        <translation>Chimein läuft mit diesem Datenordner schon auf einem anderen Computer ({more}, Prozess {n}). Falls nicht, entfernen Sie {words} und starten Sie neu.</translation>
    </message>
    <message>
        <source>Choose at least one role prompt.</source>
        <translation>Wählen Sie mindestens einen Rollenprompt.</translation>
    </message>
    <message>
        <source>Close other programs, then try again.</source>
        <translation>Schließen Sie andere Programme, und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
        <source>Diagnostics can't be saved here.</source>
        <translation>Hier lassen sich keine Diagnosedaten speichern.</translation>
    </message>
    <message>
        <source>Drafts in groups may not show that the conversation changed. It restarts automatically. See the log.</source>
        <translation>Entwürfe in Gruppen zeigen vielleicht nicht, dass sich das Gespräch geändert hat. Der Neustart folgt automatisch. Näheres steht im Protokoll.</translation>
    </message>
    <message>
        <source>Each role prompt can be chosen once.</source>
        <translation>Jeder Rollenprompt kann nur einmal gewählt werden.</translation>
    </message>
    <message>
        <source>Ended from another device, or by Telegram. Log in again.</source>
        <translation>Von einem anderen Gerät oder von Telegram beendet. Melden Sie sich noch einmal an.</translation>
    </message>
    <message>
        <source>Enter Telegram's API ID and hash (from my.telegram.org) in Preferences, then start it.</source>
        <translation>Geben Sie in den Einstellungen API-ID und API-Hash von Telegram ein (von my.telegram.org), und starten Sie es dann.</translation>
    </message>
    <message>
        <source>Enter the number in international format: + and the country code, then the rest, 7 to 15 digits in all.</source>
        <translation>Geben Sie die Nummer im internationalen Format ein: + und die Landesvorwahl, dann den Rest, insgesamt 7 bis 15 Ziffern.</translation>
    </message>
    <message>
        <source>Enter the phone number in international format: + and 7 to 15 digits.</source>
        <translation>Geben Sie die Telefonnummer im internationalen Format ein: + und 7 bis 15 Ziffern.</translation>
    </message>
    <message>
        <source>Everything else arrived. Look for it in Telegram; a newer version may show it here.</source>
        <translation>Alles andere ist angekommen. Sehen Sie in Telegram nach; eine neuere Version zeigt es vielleicht hier.</translation>
    </message>
    <message>
        <source>Everything else continues. See the log.</source>
        <translation>Alles andere läuft weiter. Näheres steht im Protokoll.</translation>
    </message>
    <message>
        <source>File missing: {words} was not there at the start. Its chats and its login stay: put the file back, or a new one with its number.</source>
        <translation>Datei fehlt: {words} war beim Start nicht da. Chats und Anmeldung bleiben: Legen Sie die Datei wieder hin, oder eine neue mit der Nummer.</translation>
    </message>
    <message>
        <source>Folder not found; its disk may not be mounted. Its agents continue with their last good files. Bring the folder back. To remove agents, delete their files, not the folder.</source>
        <translation>Ordner nicht gefunden; vielleicht ist sein Datenträger nicht eingehängt. Seine Agenten arbeiten mit ihren letzten gültigen Dateien weiter. Stellen Sie den Ordner wieder her. Um Agenten zu entfernen, löschen Sie nur ihre Dateien und nicht den Ordner.</translation>
    </message>
    <message>
        <source>Forgetting a person is not complete. {why}</source>
        <translation>Eine Person ist noch nicht ganz vergessen. {why}</translation>
    </message>
    <message>
        <source>Free some disk space. Retrying every 2 s; nothing is sent twice.</source>
        <translation>Schaffen Sie Platz auf dem Datenträger. Alle 2 s folgt ein neuer Versuch; nichts wird doppelt gesendet.</translation>
    </message>
    <message>
        <source>Free some space on its disk, then try again.</source>
        <translation>Schaffen Sie Platz auf dem Datenträger, und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message numerus="yes">
        <source>From here on, there are %n more problem(s).</source>
        <translation>
            <numerusform>Ab hier gibt es %n weiteres Problem.</numerusform>
            <numerusform>Ab hier gibt es %n weitere Probleme.</numerusform>
        </translation>
    </message>
    <message>
        <source>Gemini does not know this key. Copy it again from aistudio.google.com/apikey.</source>
        <translation>Gemini kennt diesen Schlüssel nicht. Kopieren Sie ihn noch einmal von aistudio.google.com/apikey.</translation>
    </message>
    <message>
        <source>Gemini refused the check (HTTP {n}).</source>
        <translation>Gemini hat die Prüfung abgelehnt (HTTP {n}).</translation>
    </message>
    <message>
        <source>Gemini refuses this key.</source>
        <translation>Gemini lehnt diesen Schlüssel ab.</translation>
    </message>
    <message>
        <source>Give the agent a name.</source>
        <translation>Geben Sie dem Agenten einen Namen.</translation>
    </message>
    <message>
        <source>Google does not offer Gemini in this country. The key may work elsewhere.</source>
        <translation>Google bietet Gemini in diesem Land nicht an. Der Schlüssel funktioniert vielleicht anderswo.</translation>
    </message>
    <message>
        <source>In groups, agents see only the newest messages up to a pause of an hour. Reinstall Chimein to fix this.</source>
        <translation>In Gruppen sehen die Agenten nur die neuesten Nachrichten bis zu einer Pause von einer Stunde. Installieren Sie Chimein neu, um das zu beheben.</translation>
    </message>
    <message>
        <source>It belongs to a version that was not chosen.</source>
        <translation>Das gehört zu einer Version, die nicht gewählt wurde.</translation>
    </message>
    <message>
        <source>It can't be used any more.</source>
        <translation>Es lässt sich nicht mehr verwenden.</translation>
    </message>
    <message>
        <source>It has spaces or characters that don't belong in it. Copy it again.</source>
        <translation>Darin sind Leerzeichen oder Zeichen, die nicht hineingehören. Kopieren Sie es noch einmal.</translation>
    </message>
    <message>
        <source>It is already approved.</source>
        <translation>Das ist schon freigegeben.</translation>
    </message>
    <message>
        <source>It is being renamed.</source>
        <translation>Es wird gerade umbenannt.</translation>
    </message>
    <message>
        <source>It is being sent.</source>
        <translation>Das wird gerade gesendet.</translation>
    </message>
    <message>
        <source>It is fetched the next time the account connects; everything else is stored. See the log.</source>
        <translation>Es wird abgerufen, wenn sich das Konto das nächste Mal verbindet; alles andere ist gespeichert. Näheres steht im Protokoll.</translation>
    </message>
    <message>
        <source>It is kept, and tried again with the next memory and at the next start. Messages are not affected.</source>
        <translation>Sie bleibt erhalten und wird mit der nächsten Erinnerung und beim nächsten Start noch einmal geschrieben. Nachrichten sind nicht betroffen.</translation>
    </message>
    <message>
        <source>It is logged out as soon as Telegram has answered what is being sent, in 10 s at the latest.</source>
        <translation>Es wird abgemeldet, sobald Telegram beantwortet hat, was gerade gesendet wird, spätestens in 10 s.</translation>
    </message>
    <message>
        <source>It is more than 12 hours old; look at it again, then decide.</source>
        <translation>Das ist über 12 Stunden alt; sehen Sie es sich noch einmal an, und entscheiden Sie dann.</translation>
    </message>
    <message>
        <source>It is still kept, because {words} can't be written.</source>
        <translation>Es ist noch gespeichert, denn {words} lässt sich nicht schreiben.</translation>
    </message>
    <message>
        <source>It is too long to remember.</source>
        <translation>Es ist zu lang, um es sich zu merken.</translation>
    </message>
    <message>
        <source>It may have been carried out.</source>
        <translation>Vielleicht wurde es ausgeführt.</translation>
    </message>
    <message>
        <source>It may have been sent.</source>
        <translation>Vielleicht wurde es gesendet.</translation>
    </message>
    <message>
        <source>It was decided meanwhile.</source>
        <translation>Darüber wurde inzwischen entschieden.</translation>
    </message>
    <message>
        <source>It was noted already. {words}</source>
        <translation>Es war schon vermerkt. {words}</translation>
    </message>
    <message>
        <source>It was rejected.</source>
        <translation>Das wurde abgelehnt.</translation>
    </message>
    <message>
        <source>It was replaced by a newer draft; nothing was decided.</source>
        <translation>Ein neuerer Entwurf hat ihn ersetzt; es wurde nichts entschieden.</translation>
    </message>
    <message>
        <source>It was sent, and Chimein is checking whether it arrived.</source>
        <translation>Sie wurde gesendet; Chimein prüft, ob sie ankam.</translation>
    </message>
    <message>
        <source>It was sent.</source>
        <translation>Das wurde gesendet.</translation>
    </message>
    <message>
        <source>It was tried again meanwhile; nothing was done.</source>
        <translation>Inzwischen wurde es erneut versucht; es ist nichts geschehen.</translation>
    </message>
    <message>
        <source>Its chats start over. What the old account wrote and received stays stored.</source>
        <translation>Die Chats beginnen von vorn. Was das alte Konto geschrieben und empfangen hat, bleibt gespeichert.</translation>
    </message>
    <message>
        <source>Its file can't be used. Line {n}: {why}</source>
        <translation>Die Datei lässt sich nicht verwenden. Zeile {n}: {why}</translation>
    </message>
    <message>
        <source>Its file can't be used. {why}</source>
        <translation>Die Datei lässt sich nicht verwenden. {why}</translation>
    </message>
    <message>
        <source>Its file has not been read yet.</source>
        <translation>Die Datei ist noch nicht gelesen.</translation>
    </message>
    <message>
        <source>Its file {words} is gone. Its chats and its login stay: put the file back, or a new one with its number.</source>
        <translation>Die Datei {words} ist weg. Chats und Anmeldung bleiben: Legen Sie die Datei wieder hin, oder eine neue mit der Nummer.</translation>
    </message>
    <message>
        <source>Its name or number is already used by {words}, whose last good version is in use.</source>
        <translation>Den Namen oder die Nummer verwendet schon {words}; von dieser Datei gilt die letzte gültige Version.</translation>
    </message>
    <message>
        <source>Its own file {words} can't be used, and {more} names the same agent. Fix one of them, or remove it.</source>
        <translation>Die eigene Datei {words} lässt sich nicht verwenden, und auch {more} nennt diesen Agenten. Korrigieren oder entfernen Sie eine davon.</translation>
    </message>
    <message>
        <source>Keys can't be tested here.</source>
        <translation>Schlüssel lassen sich hier nicht testen.</translation>
    </message>
    <message>
        <source>Logged out here, but Telegram could not be told. End “Chimein” in Telegram under Settings, Devices.</source>
        <translation>Hier abgemeldet, aber Telegram war nicht zu erreichen. Beenden Sie „Chimein“ in Telegram unter Einstellungen, Geräte.</translation>
    </message>
    <message>
        <source>Make its folder writable, then try again.</source>
        <translation>Machen Sie den Ordner beschreibbar, und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
        <source>Make the file and its folder writable, then try again.</source>
        <translation>Machen Sie die Datei und ihren Ordner beschreibbar, und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
        <source>Memories could not be searched. {why}</source>
        <translation>Die Erinnerungen konnten nicht durchsucht werden. {why}</translation>
    </message>
    <message>
        <source>Messages can be edited for 48 hours. This one is older.</source>
        <translation>Telegram erlaubt das Bearbeiten 48 Stunden lang; diese Nachricht ist älter.</translation>
    </message>
    <message>
        <source>New descriptions of media are kept only until Chimein closes, and would be paid for again. Free some space on the disk, and check that its folder is writable.</source>
        <translation>Neue Beschreibungen von Medien bleiben nur erhalten, bis Chimein beendet wird, und müssten dann noch einmal bezahlt werden. Schaffen Sie Platz auf dem Datenträger, und prüfen Sie, ob der Ordner beschreibbar ist.</translation>
    </message>
    <message>
        <source>New messages wait in memory and are stored as soon as it works again; nothing is sent meanwhile.</source>
        <translation>Neue Nachrichten warten im Arbeitsspeicher und werden gespeichert, sobald es wieder geht; bis dahin wird nichts gesendet.</translation>
    </message>
    <message>
        <source>New messages wait in memory. It restarts automatically. See the log.</source>
        <translation>Neue Nachrichten warten im Arbeitsspeicher. Der Neustart folgt automatisch. Näheres steht im Protokoll.</translation>
    </message>
    <message>
        <source>No folder is set for the local model. Set it in Preferences, under Models.</source>
        <translation>Für das lokale Modell ist kein Ordner festgelegt. Lege ihn in den Einstellungen unter Modelle fest.</translation>
    </message>
    <message>
        <source>No memories are proposed; messages are not affected. It restarts automatically. See the log.</source>
        <translation>Es werden keine Erinnerungen vorgeschlagen; Nachrichten sind nicht betroffen. Es startet automatisch neu. Siehe Protokoll.</translation>
    </message>
    <message>
        <source>No model can describe this now. Check the key of the model in Preferences.</source>
        <translation>Kein Modell kann das jetzt beschreiben. Prüfen Sie den Schlüssel des Modells in den Einstellungen.</translation>
    </message>
    <message>
        <source>No other version: {why}</source>
        <translation>Keine andere Version: {why}</translation>
    </message>
    <message>
        <source>No plan has been made yet.</source>
        <translation>Es wurde noch kein Plan gemacht.</translation>
    </message>
    <message>
        <source>No system keychain found.</source>
        <translation>Kein Schlüsselbund des Systems gefunden.</translation>
    </message>
    <message>
        <source>Nobody has scanned the QR code. Show a new one when you have the phone ready.</source>
        <translation>Niemand hat den QR-Code gescannt. Zeigen Sie einen neuen, sobald Sie das Telefon bereit haben.</translation>
    </message>
    <message>
        <source>Nobody is logged in yet.</source>
        <translation>Noch ist niemand angemeldet.</translation>
    </message>
    <message>
        <source>Nothing can be written in the data folder {words}: {more}. Free some disk space, or make it writable.</source>
        <translation>Im Datenordner {words} lässt sich nichts schreiben: {more}. Schaffen Sie Platz auf dem Datenträger oder machen Sie den Ordner beschreibbar.</translation>
    </message>
    <message>
        <source>Nothing is left of this plan to rewrite.</source>
        <translation>Von diesem Plan ist nichts mehr übrig, was neu geschrieben werden könnte.</translation>
    </message>
    <message>
        <source>Nothing is planned or sent until it runs again. It restarts automatically. See the log.</source>
        <translation>Bis sie wieder läuft, wird nichts geplant und nichts gesendet. Der Neustart folgt automatisch. Näheres steht im Protokoll.</translation>
    </message>
    <message>
        <source>Nothing is written to {words}. Choose another folder.</source>
        <translation>In {words} wird nichts geschrieben. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Nothing of this step was saved.</source>
        <translation>Von diesem Schritt wurde nichts gespeichert.</translation>
    </message>
    <message>
        <source>Nothing was done.</source>
        <translation>Es wurde nichts ausgeführt.</translation>
    </message>
    <message numerus="yes">
        <source>Nothing was found within %n s; indexing continues.</source>
        <translation>
            <numerusform>Innerhalb von %n s wurde nichts gefunden; die Indizierung geht weiter.</numerusform>
            <numerusform>Innerhalb von %n s wurde nichts gefunden; die Indizierung geht weiter.</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing was sent.</source>
        <translation>Es wurde nichts gesendet.</translation>
    </message>
    <message>
        <source>Nothing was started, and nothing is sent. Close the window, fix it, and start again.</source>
        <translation>Es wurde nichts gestartet, und nichts wird gesendet. Schließen Sie das Fenster, beheben Sie es, und starten Sie neu.</translation>
    </message>
    <message>
        <source>Only text can be edited.</source>
        <translation>Nur Text lässt sich bearbeiten.</translation>
    </message>
    <message>
        <source>Only the text of a message can be edited.</source>
        <translation>Nur der Text einer Nachricht lässt sich bearbeiten.</translation>
    </message>
    <message>
        <source>Others can write in the data folder {words}. Make it private (chmod 700), or set CHIMEIN_STATE_DIR to another folder.</source>
        <translation>Andere können in den Datenordner {words} schreiben. Machen Sie ihn privat (chmod 700) oder setzen Sie CHIMEIN_STATE_DIR auf einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Part of it was already sent, so its text can't be changed. Approve the rest as it is, or reject it.</source>
        <translation>Ein Teil wurde schon gesendet, daher lässt sich der Text nicht mehr ändern. Geben Sie den Rest so frei, oder lehnen Sie ihn ab.</translation>
    </message>
    <message>
        <source>Pictures and other files can't be shown until there is space again. Messages are not affected.</source>
        <translation>Bilder und andere Dateien lassen sich erst wieder zeigen, wenn Platz ist. Nachrichten sind nicht betroffen.</translation>
    </message>
    <message>
        <source>Plans are made without it until it can be read again. Messages are not affected.</source>
        <translation>Pläne entstehen ohne sie, bis sie wieder gelesen werden kann. Nachrichten sind nicht betroffen.</translation>
    </message>
    <message>
        <source>PostgreSQL can't be reached: {words}</source>
        <translation>PostgreSQL ist nicht zu erreichen: {words}</translation>
    </message>
    <message>
        <source>PostgreSQL has no pgvector. Install it on the server, or let its administrator run CREATE EXTENSION vector.</source>
        <translation>PostgreSQL hat kein pgvector. Installiere es auf dem Server, oder lass dessen Verwalter CREATE EXTENSION vector ausführen.</translation>
    </message>
    <message>
        <source>PostgreSQL refused: {words} ({more})</source>
        <translation>PostgreSQL hat abgelehnt: {words} ({more})</translation>
    </message>
    <message>
        <source>Prompts hold the memories, but none are chosen for the messages. Retrying with every plan.</source>
        <translation>Prompts enthalten die Erinnerungen, aber keine wird passend zu den Nachrichten ausgewählt. Jeder Plan versucht es erneut.</translation>
    </message>
    <message>
        <source>Reading conversations for memories stopped after an unexpected error ({more}).</source>
        <translation>Das Durchsehen der Unterhaltungen nach Erinnerungen wurde nach einem unerwarteten Fehler beendet ({more}).</translation>
    </message>
    <message>
        <source>Removing old records stopped after an unexpected error ({more}).</source>
        <translation>Das Entfernen alter Einträge endete nach einem unerwarteten Fehler ({more}).</translation>
    </message>
    <message>
        <source>Retrying in 5 s.</source>
        <translation>Der nächste Versuch folgt in 5 s.</translation>
    </message>
    <message>
        <source>SOCKS4 is not supported, only SOCKS5. If the proxy can do that, write socks5://. {why}</source>
        <translation>SOCKS4 wird nicht unterstützt, nur SOCKS5. Wenn der Proxy das kann, schreiben Sie socks5://. {why}</translation>
    </message>
    <message>
        <source>Say who the agent is and how it writes.</source>
        <translation>Beschreiben Sie, wer der Agent ist und wie er schreibt.</translation>
    </message>
    <message>
        <source>Scheduling for an account stopped after an unexpected error ({more}).</source>
        <translation>Die Ablaufsteuerung eines Kontos endete nach einem unerwarteten Fehler ({more}).</translation>
    </message>
    <message>
        <source>Secrets are kept in the Windows Credential Manager.</source>
        <translation>Geheimnisse liegen in der Windows-Anmeldeinformationsverwaltung.</translation>
    </message>
    <message>
        <source>Secrets are kept in the keyring of your desktop (Secret Service).</source>
        <translation>Geheimnisse liegen im Schlüsselbund Ihres Desktops (Secret Service).</translation>
    </message>
    <message>
        <source>Secrets are kept in the macOS keychain.</source>
        <translation>Geheimnisse liegen im macOS-Schlüsselbund.</translation>
    </message>
    <message>
        <source>Secrets are kept in the system's keychain.</source>
        <translation>Geheimnisse liegen im Schlüsselbund des Systems.</translation>
    </message>
    <message>
        <source>Secrets are kept in {words}.</source>
        <translation>Geheimnisse liegen in {words}.</translation>
    </message>
    <message numerus="yes">
        <source>Slow mode: this chat asks to wait %n s.</source>
        <translation>
            <numerusform>Langsamer Modus: In diesem Chat sind %n s zu warten.</numerusform>
            <numerusform>Langsamer Modus: In diesem Chat sind %n s zu warten.</numerusform>
        </translation>
    </message>
    <message>
        <source>Something is being sent in “{words}”, or its outcome is not known yet. Try again when it is clear.</source>
        <translation>In „{words}“ wird gerade etwas gesendet, oder es steht noch nicht fest, was daraus wurde. Versuchen Sie es danach noch einmal.</translation>
    </message>
    <message>
        <source>Something went wrong ({words}). Try again, or cancel and start over.</source>
        <translation>Etwas ist schiefgegangen ({words}). Versuchen Sie es noch einmal, oder brechen Sie ab und beginnen Sie von vorn.</translation>
    </message>
    <message>
        <source>Start with the kind of proxy: socks5:// or http://. {why}</source>
        <translation>Beginnen Sie mit der Art des Proxys: socks5:// oder http://. {why}</translation>
    </message>
    <message>
        <source>Stopped. The draft stays as it is.</source>
        <translation>Abgebrochen. Der Entwurf bleibt, wie er ist.</translation>
    </message>
    <message>
        <source>Storing new messages stopped after an unexpected error ({more}).</source>
        <translation>Das Speichern neuer Nachrichten endete nach einem unerwarteten Fehler ({more}).</translation>
    </message>
    <message>
        <source>Storing the prompts that were sent stopped after an unexpected error ({more}).</source>
        <translation>Das Speichern gesendeter Prompts endete nach einem unerwarteten Fehler ({more}).</translation>
    </message>
    <message>
        <source>TLS to a proxy is not supported. {why}</source>
        <translation>TLS zum Proxy wird nicht unterstützt. {why}</translation>
    </message>
    <message>
        <source>Telegram asks for an e-mail address for this account first. Set one in the Telegram app, or use the QR code.</source>
        <translation>Telegram verlangt für dieses Konto zuerst eine E-Mail-Adresse. Tragen Sie eine in der Telegram-App ein, oder nehmen Sie den QR-Code.</translation>
    </message>
    <message>
        <source>Telegram asks for something that this version of Chimein does not know. Use the QR code.</source>
        <translation>Telegram fragt nach etwas, das diese Version von Chimein nicht kennt. Nehmen Sie den QR-Code.</translation>
    </message>
    <message>
        <source>Telegram asks for this account's password first; log in by QR code.</source>
        <translation>Telegram fragt zuerst nach dem Passwort dieses Kontos; melden Sie sich mit dem QR-Code an.</translation>
    </message>
    <message numerus="yes">
        <source>Telegram asks to wait %n s more.</source>
        <translation>
            <numerusform>Telegram bittet, noch %n s zu warten.</numerusform>
            <numerusform>Telegram bittet, noch %n s zu warten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Telegram asks to wait %n s.</source>
        <translation>
            <numerusform>Telegram bittet, %n s zu warten.</numerusform>
            <numerusform>Telegram bittet, %n s zu warten.</numerusform>
        </translation>
    </message>
    <message>
        <source>Telegram asks to wait before the next try.</source>
        <translation>Telegram bittet, vor dem nächsten Versuch zu warten.</translation>
    </message>
    <message>
        <source>Telegram can’t be reached. Check the network, then try again.</source>
        <translation>Telegram ist nicht erreichbar. Prüfen Sie das Netz, und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
        <source>Telegram could not send a code. Try again in a moment, or use the QR code.</source>
        <translation>Telegram konnte keinen Code schicken. Versuchen Sie es gleich noch einmal, oder nehmen Sie den QR-Code.</translation>
    </message>
    <message>
        <source>Telegram did not answer in time.</source>
        <translation>Telegram hat nicht rechtzeitig geantwortet.</translation>
    </message>
    <message>
        <source>Telegram did not answer in time. Try again.</source>
        <translation>Telegram hat nicht rechtzeitig geantwortet. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Telegram did not answer. It may have been changed. It is safe to try again.</source>
        <translation>Telegram gab keine Antwort; vielleicht wurde es geändert. Ein zweiter Versuch schadet nicht.</translation>
    </message>
    <message>
        <source>Telegram did not answer. It may have been deleted. It is safe to try again.</source>
        <translation>Telegram gab keine Antwort; vielleicht wurde es gelöscht. Ein zweiter Versuch schadet nicht.</translation>
    </message>
    <message>
        <source>Telegram did not let this account write in this chat. Press again to try anyway.</source>
        <translation>Telegram ließ dieses Konto in diesem Chat nicht schreiben. Drücken Sie noch einmal, um es trotzdem zu versuchen.</translation>
    </message>
    <message>
        <source>Telegram didn't accept the password this time. Enter it again.</source>
        <translation>Telegram hat das Passwort diesmal nicht angenommen. Geben Sie es noch einmal ein.</translation>
    </message>
    <message>
        <source>Telegram does not accept this phone number. Enter it in international format, starting with +.</source>
        <translation>Telegram nimmt diese Telefonnummer nicht an. Geben Sie sie im internationalen Format ein, beginnend mit +.</translation>
    </message>
    <message>
        <source>Telegram does not accept this session any more. {why}</source>
        <translation>Telegram erkennt diese Sitzung nicht mehr an. {why}</translation>
    </message>
    <message>
        <source>Telegram does not know this API ID and hash as a pair. Copy both again from my.telegram.org.</source>
        <translation>Telegram kennt API-ID und API-Hash nicht als Paar. Kopieren Sie beide noch einmal von my.telegram.org.</translation>
    </message>
    <message>
        <source>Telegram doesn't allow this application to log in with a code. Use the QR code.</source>
        <translation>Telegram erlaubt diesem Programm keine Anmeldung mit Code. Nehmen Sie den QR-Code.</translation>
    </message>
    <message>
        <source>Telegram has a problem ({words}). {why}</source>
        <translation>Telegram hat ein Problem ({words}). {why}</translation>
    </message>
    <message>
        <source>Telegram has a problem right now. Try again in a moment.</source>
        <translation>Telegram hat gerade ein Problem. Versuchen Sie es gleich noch einmal.</translation>
    </message>
    <message>
        <source>Telegram has closed the account with this number. It can’t be logged in. Use another number, or write to Telegram.</source>
        <translation>Telegram hat das Konto mit dieser Nummer geschlossen. Es lässt sich nicht anmelden. Nehmen Sie eine andere Nummer, oder schreiben Sie an Telegram.</translation>
    </message>
    <message>
        <source>Telegram has closed this account; logging in again does not help. Ask Telegram about it.</source>
        <translation>Telegram hat dieses Konto geschlossen; eine neue Anmeldung hilft nicht. Fragen Sie bei Telegram nach.</translation>
    </message>
    <message>
        <source>Telegram has frozen this account: it can read, but not write. To appeal, write to @SpamBot in Telegram.</source>
        <translation>Telegram hat dieses Konto eingefroren: Es kann lesen, aber nicht schreiben. Widersprechen können Sie in Telegram bei @SpamBot.</translation>
    </message>
    <message>
        <source>Telegram has moved this account to other servers. {why}</source>
        <translation>Telegram hat dieses Konto auf andere Server verlegt. {why}</translation>
    </message>
    <message>
        <source>Telegram has no other way to send this code. Wait for it, or use the QR code.</source>
        <translation>Telegram kann diesen Code auf keinem anderen Weg schicken. Warten Sie darauf, oder nehmen Sie den QR-Code.</translation>
    </message>
    <message>
        <source>Telegram has set this wait; it can't be shortened.</source>
        <translation>Diese Pause hat Telegram vorgegeben; sie lässt sich nicht verkürzen.</translation>
    </message>
    <message>
        <source>Telegram knows no sticker set “{words}”.</source>
        <translation>Telegram kennt kein Stickerset „{words}“.</translation>
    </message>
    <message>
        <source>Telegram no longer knows this login. Go back and start over.</source>
        <translation>Telegram kennt diese Anmeldung nicht mehr. Gehen Sie zurück und beginnen Sie von vorn.</translation>
    </message>
    <message>
        <source>Telegram refused ({words}). Try again later, or another way.</source>
        <translation>Telegram hat das abgelehnt ({words}). Versuchen Sie es später noch einmal, oder auf anderem Weg.</translation>
    </message>
    <message>
        <source>Telegram refused the connection: {words}.</source>
        <translation>Telegram hat die Verbindung abgelehnt: {words}.</translation>
    </message>
    <message>
        <source>Telegram refused this. Try again later, or another way.</source>
        <translation>Telegram hat das abgelehnt. Versuchen Sie es später noch einmal, oder auf anderem Weg.</translation>
    </message>
    <message>
        <source>Telegram sends no code to this number through other applications. Use the QR code.</source>
        <translation>Telegram schickt an diese Nummer keinen Code für andere Programme. Nehmen Sie den QR-Code.</translation>
    </message>
    <message>
        <source>Telegram sent a message that this version of Chimein can't read.</source>
        <translation>Telegram hat eine Nachricht geschickt, die diese Version von Chimein nicht lesen kann.</translation>
    </message>
    <message>
        <source>Telegram sent something that this version of Chimein can't read. The chats were checked again instead.</source>
        <translation>Telegram hat etwas geschickt, das diese Version von Chimein nicht lesen kann. Stattdessen wurden die Chats neu abgeglichen.</translation>
    </message>
    <message>
        <source>Telegram’s API ID is known from the environment, but not its API hash.</source>
        <translation>Die API-ID von Telegram ist aus der Umgebung bekannt, aber nicht der API-Hash.</translation>
    </message>
    <message>
        <source>Telegram’s API ID is known, but not its API hash.</source>
        <translation>Die API-ID von Telegram ist bekannt, aber nicht der API-Hash.</translation>
    </message>
    <message>
        <source>Telegram’s API hash is known from the environment, but not its API ID.</source>
        <translation>Der API-Hash von Telegram ist aus der Umgebung bekannt, aber nicht die API-ID.</translation>
    </message>
    <message>
        <source>Telegram’s API hash is known, but not its API ID.</source>
        <translation>Der API-Hash von Telegram ist bekannt, aber nicht die API-ID.</translation>
    </message>
    <message>
        <source>Text before the first heading belongs to no field.</source>
        <translation>Text vor der ersten Überschrift gehört zu keinem Feld.</translation>
    </message>
    <message>
        <source>That kind of search is not available here.</source>
        <translation>Diese Art der Suche gibt es hier nicht.</translation>
    </message>
    <message>
        <source>That step belongs to another plan.</source>
        <translation>Jener Schritt gehört zu einem anderen Plan.</translation>
    </message>
    <message>
        <source>That time has passed. Choose a later one.</source>
        <translation>Dieser Zeitpunkt ist vorbei. Wählen Sie einen späteren.</translation>
    </message>
    <message>
        <source>The API ID has digits only. You find it on my.telegram.org under “API development tools”.</source>
        <translation>Die API-ID besteht nur aus Ziffern. Sie finden sie auf my.telegram.org unter „API development tools“.</translation>
    </message>
    <message>
        <source>The API ID is a number, such as 1234567; my.telegram.org shows it.</source>
        <translation>Die API-ID ist eine Zahl, etwa 1234567; my.telegram.org zeigt sie.</translation>
    </message>
    <message>
        <source>The API hash has 32 characters, 0 to 9 and a to f. You find it on my.telegram.org below the API ID.</source>
        <translation>Der API-Hash hat 32 Zeichen, 0 bis 9 und a bis f. Sie finden ihn auf my.telegram.org unter der API-ID.</translation>
    </message>
    <message>
        <source>The API hash has 32 characters, digits and the letters a to f; my.telegram.org shows it.</source>
        <translation>Der API-Hash hat 32 Zeichen, Ziffern und die Buchstaben a bis f; my.telegram.org zeigt ihn.</translation>
    </message>
    <message>
        <source>The CHARX archive has an entry that leads out of it: {words}. Nothing was unpacked. Do not use this copy of the card.</source>
        <translation>Das CHARX-Archiv hat einen Eintrag, der aus ihm hinausführt: {words}. Nichts wurde entpackt. Verwenden Sie diese Kopie der Karte nicht.</translation>
    </message>
    <message>
        <source>The CHARX archive is damaged, incomplete, encrypted or has two entries of one name. Download it again.</source>
        <translation>Das CHARX-Archiv ist beschädigt, unvollständig, verschlüsselt oder hat zwei Einträge desselben Namens. Laden Sie es noch einmal herunter.</translation>
    </message>
    <message>
        <source>The Gemini API is switched off in the key's Google Cloud project. Switch it on there.</source>
        <translation>Im Google-Cloud-Projekt des Schlüssels ist die Gemini API ausgeschaltet. Schalten Sie sie dort ein.</translation>
    </message>
    <message>
        <source>The MTProxy's secret has the wrong length: 32 hexadecimal digits, or dd and 32 of them.</source>
        <translation>Das Geheimnis des MTProxys hat die falsche Länge: 32 Hexadezimalziffern, oder dd und 32 davon.</translation>
    </message>
    <message>
        <source>The MTProxy's secret is neither hexadecimal nor Base64. Copy it again.</source>
        <translation>Das Geheimnis des MTProxys ist weder hexadezimal noch Base64. Kopieren Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The account has another number than the agent’s file says. The file was not changed.</source>
        <translation>Das Konto hat eine andere Nummer, als in der Datei des Agenten steht. Die Datei wurde nicht geändert.</translation>
    </message>
    <message>
        <source>The account is logged in, but its session could not be saved. Free some disk space or check the permissions of the data folder, then try again.</source>
        <translation>Das Konto ist angemeldet, aber die Sitzung ließ sich nicht speichern. Schaffen Sie Platz, oder prüfen Sie die Rechte des Datenordners, und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
        <source>The account is not connected.</source>
        <translation>Das Konto ist nicht verbunden.</translation>
    </message>
    <message>
        <source>The account is not connected; nothing was changed.</source>
        <translation>Das Konto ist nicht verbunden; es wurde nichts geändert.</translation>
    </message>
    <message>
        <source>The account’s proxy does not let the connection through. Check its address and password under Agents, Proxy, then try again.</source>
        <translation>Der Proxy des Kontos lässt die Verbindung nicht durch. Prüfen Sie Adresse und Passwort unter Agenten, Proxy, und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
        <source>The agent can't be written to {words}: {more}.</source>
        <translation>Der Agent lässt sich nicht nach {words} schreiben: {more}.</translation>
    </message>
    <message>
        <source>The agent is called {words} now, so its login starts over. Try again.</source>
        <translation>Der Agent heißt jetzt {words}, daher beginnt die Anmeldung von vorn. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The agent is written to {words}, but can't be used. {why}</source>
        <translation>Der Agent wurde nach {words} geschrieben, lässt sich aber nicht verwenden. {why}</translation>
    </message>
    <message>
        <source>The agent's file has changed: it asks for another trust level now. Nothing was confirmed.</source>
        <translation>Die Agentendatei hat sich geändert: Sie verlangt jetzt eine andere Vertrauensstufe. Es wurde nichts bestätigt.</translation>
    </message>
    <message>
        <source>The agent's file {words} can't be written: {more}.</source>
        <translation>Die Agentendatei {words} lässt sich nicht schreiben: {more}.</translation>
    </message>
    <message>
        <source>The agent's file {words} is missing, empty or too large.</source>
        <translation>Die Agentendatei {words} fehlt, ist leer oder zu groß.</translation>
    </message>
    <message>
        <source>The agent's file {words} is not UTF-8; save it as UTF-8.</source>
        <translation>Die Agentendatei {words} ist nicht in UTF-8; speichern Sie sie als UTF-8.</translation>
    </message>
    <message>
        <source>The agents in {words} come with Chimein; nothing is written there.</source>
        <translation>Die Agenten in {words} gehören zu Chimein; dorthin wird nichts geschrieben.</translation>
    </message>
    <message>
        <source>The agent’s file keeps the old number.</source>
        <translation>Die Datei des Agenten behält die alte Nummer.</translation>
    </message>
    <message>
        <source>The agent’s proxy was changed, so its login starts over. Try again.</source>
        <translation>Der Proxy des Agenten wurde geändert, daher beginnt die Anmeldung von vorn. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The answer is being planned.</source>
        <translation>Die Antwort wird gerade geplant.</translation>
    </message>
    <message>
        <source>The character in this picture is damaged (no valid Base64). Export it again.</source>
        <translation>Der Charakter in diesem Bild ist beschädigt (kein gültiges Base64). Exportieren Sie ihn noch einmal.</translation>
    </message>
    <message>
        <source>The character's data is nested so deeply that it was not read. Use another copy of the card.</source>
        <translation>Die Daten des Charakters sind so tief verschachtelt, dass sie nicht gelesen wurden. Verwenden Sie eine andere Kopie der Karte.</translation>
    </message>
    <message>
        <source>The character's data is not valid JSON. Export the card again.</source>
        <translation>Die Daten des Charakters sind kein gültiges JSON. Exportieren Sie die Karte noch einmal.</translation>
    </message>
    <message>
        <source>The character's text is not valid UTF-8. Save the card as UTF-8.</source>
        <translation>Der Text des Charakters ist kein gültiges UTF-8. Speichern Sie die Karte als UTF-8.</translation>
    </message>
    <message numerus="yes">
        <source>The character's texts have more than %n characters. Shorten its description and export it again.</source>
        <translation>
            <numerusform>Die Texte des Charakters haben mehr als %n Zeichen. Kürzen Sie seine Beschreibung und exportieren Sie ihn noch einmal.</numerusform>
            <numerusform>Die Texte des Charakters haben mehr als %n Zeichen. Kürzen Sie seine Beschreibung und exportieren Sie ihn noch einmal.</numerusform>
        </translation>
    </message>
    <message>
        <source>The chat is only observed; nothing is sent.</source>
        <translation>Der Chat wird nur beobachtet; nichts wird gesendet.</translation>
    </message>
    <message>
        <source>The chats stay held. It continues at the next start, or when you choose Forget again.</source>
        <translation>Die Chats bleiben angehalten. Es geht beim nächsten Start weiter, oder wenn Sie noch einmal „Vergessen“ wählen.</translation>
    </message>
    <message>
        <source>The code has {words} characters; this one has {n}.</source>
        <translation>Der Code hat {words} Zeichen; dieser hat {n}.</translation>
    </message>
    <message>
        <source>The connection of {words} stopped after an unexpected error ({more}).</source>
        <translation>Die Verbindung von {words} endete nach einem unerwarteten Fehler ({more}).</translation>
    </message>
    <message>
        <source>The connection string of PostgreSQL can't be used. Set it again in Preferences, under Keys.</source>
        <translation>Die Verbindung zu PostgreSQL ist nicht zu gebrauchen. Lege sie in den Einstellungen unter Schlüssel neu fest.</translation>
    </message>
    <message>
        <source>The connection to Telegram was lost. {why}</source>
        <translation>Die Verbindung zu Telegram ging verloren. {why}</translation>
    </message>
    <message>
        <source>The connection was lost. What you typed is still here: send it again.</source>
        <translation>Die Verbindung ging verloren. Was Sie eingegeben haben, steht noch da: Senden Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The conversation has moved on. Check it, then decide again.</source>
        <translation>Das Gespräch ging weiter. Sehen Sie nach und entscheiden Sie noch einmal.</translation>
    </message>
    <message>
        <source>The data folder {words} belongs to another user. Set CHIMEIN_STATE_DIR to a folder of your own.</source>
        <translation>Der Datenordner {words} gehört einem anderen Benutzer. Setzen Sie CHIMEIN_STATE_DIR auf einen eigenen Ordner.</translation>
    </message>
    <message>
        <source>The data folder {words} can't be used: {more}. Fix this, or set CHIMEIN_STATE_DIR to another folder.</source>
        <translation>Der Datenordner {words} ist nicht nutzbar: {more}. Beheben Sie das oder setzen Sie CHIMEIN_STATE_DIR auf einen anderen Ordner.</translation>
    </message>
    <message>
        <source>The database could not be read ({words}).</source>
        <translation>Die Datenbank ließ sich nicht lesen ({words}).</translation>
    </message>
    <message>
        <source>The database could not be written ({words}). {why}</source>
        <translation>Die Datenbank ließ sich nicht schreiben ({words}). {why}</translation>
    </message>
    <message>
        <source>The database ended a transaction on its own. Try again.</source>
        <translation>Die Datenbank hat eine Transaktion von sich aus beendet. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The database grows until it runs again; messages are not affected. It restarts automatically. See the log.</source>
        <translation>Bis dahin wächst die Datenbank; Nachrichten sind nicht betroffen. Der Neustart folgt automatisch. Näheres steht im Protokoll.</translation>
    </message>
    <message>
        <source>The database is closed.</source>
        <translation>Die Datenbank ist geschlossen.</translation>
    </message>
    <message>
        <source>The database refused a statement ({words}).</source>
        <translation>Die Datenbank hat eine Anweisung abgelehnt ({words}).</translation>
    </message>
    <message>
        <source>The database {words} cannot be read: it belongs to another program. The file was left as it is. Choose another data folder.</source>
        <translation>Die Datenbank {words} lässt sich nicht lesen: Sie gehört einem anderen Programm. Die Datei blieb, wie sie ist. Wählen Sie einen anderen Datenordner.</translation>
    </message>
    <message>
        <source>The database {words} cannot be read: it is empty, but its -wal file is not. The file was left as it is. Put a backup in its place, or move it away together with its -wal file to begin with an empty one.</source>
        <translation>Die Datenbank {words} lässt sich nicht lesen: Sie ist leer, ihre -wal-Datei aber nicht. Die Datei blieb, wie sie ist. Legen Sie eine Sicherung an ihre Stelle, oder verschieben Sie sie zusammen mit ihrer -wal-Datei, um mit einer leeren zu beginnen.</translation>
    </message>
    <message>
        <source>The database {words} cannot be read: it is not a SQLite file. The file was left as it is. Put a backup in its place, or move it away together with its -wal file to begin with an empty one.</source>
        <translation>Die Datenbank {words} lässt sich nicht lesen: Es ist keine SQLite-Datei. Die Datei blieb, wie sie ist. Legen Sie eine Sicherung an ihre Stelle, oder verschieben Sie sie zusammen mit ihrer -wal-Datei, um mit einer leeren zu beginnen.</translation>
    </message>
    <message>
        <source>The database {words} cannot be read: {more}. The file was left as it is. Put a backup in its place, or move it away together with its -wal file to begin with an empty one.</source>
        <translation>Die Datenbank {words} lässt sich nicht lesen: {more}. Die Datei blieb, wie sie ist. Legen Sie eine Sicherung an ihre Stelle, oder verschieben Sie sie zusammen mit ihrer -wal-Datei, um mit einer leeren zu beginnen.</translation>
    </message>
    <message>
        <source>The database {words} could not be written ({more}). Nothing was changed. Make the file and its folder writable, or choose another data folder.</source>
        <translation>Die Datenbank {words} ließ sich nicht schreiben ({more}). Es wurde nichts geändert. Machen Sie die Datei und ihren Ordner beschreibbar, oder wählen Sie einen anderen Datenordner.</translation>
    </message>
    <message>
        <source>The database {words} was written by a newer Chimein: its format is {n}, this version knows up to {more}. The file was left as it is. Start the newer version again, put back a backup, or choose another data folder.</source>
        <translation>Die Datenbank {words} stammt von einem neueren Chimein: Ihr Format ist {n}, diese Version kennt höchstens {more}. Die Datei blieb, wie sie ist. Starten Sie wieder die neuere Version, legen Sie eine Sicherung zurück, oder wählen Sie einen anderen Datenordner.</translation>
    </message>
    <message>
        <source>The diagnostics were not saved: the disk is full. Free some space, or choose another place.</source>
        <translation>Die Diagnosedaten wurden nicht gespeichert: Der Datenträger ist voll. Schaffen Sie Platz, oder wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>The diagnostics were not saved: {words}. Choose another place.</source>
        <translation>Die Diagnosedaten wurden nicht gespeichert: {words}. Wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>The disk is full: a file could not be saved.</source>
        <translation>Der Datenträger ist voll: Eine Datei ließ sich nicht speichern.</translation>
    </message>
    <message>
        <source>The draft changed meanwhile; nothing was decided.</source>
        <translation>Der Entwurf hat sich inzwischen geändert; es wurde nichts entschieden.</translation>
    </message>
    <message>
        <source>The environment variable {words} takes precedence: change it there, or remove it and start Chimein again.</source>
        <translation>Die Umgebungsvariable {words} hat Vorrang: Ändern Sie sie dort, oder entfernen Sie sie, und starten Sie Chimein neu.</translation>
    </message>
    <message>
        <source>The file can't be read. {words}</source>
        <translation>Die Datei kann nicht gelesen werden. {words}</translation>
    </message>
    <message>
        <source>The file can't be read: {words}.</source>
        <translation>Die Datei lässt sich nicht lesen: {words}.</translation>
    </message>
    <message>
        <source>The file can't be written: {words}.</source>
        <translation>Die Datei kann nicht geschrieben werden: {words}.</translation>
    </message>
    <message>
        <source>The file does not exist.</source>
        <translation>Die Datei gibt es nicht.</translation>
    </message>
    <message>
        <source>The file has far more parts than a card needs, so it was not read. Use another copy of the card.</source>
        <translation>Die Datei hat viel mehr Teile, als eine Karte braucht, und wurde deshalb nicht gelesen. Verwenden Sie eine andere Kopie der Karte.</translation>
    </message>
    <message>
        <source>The file has no “# Agent Phone” with one line below it; write the number there: {words}</source>
        <translation>Die Datei hat kein „# Agent Phone“ mit einer Zeile darunter; schreiben Sie die Nummer dorthin: {words}</translation>
    </message>
    <message>
        <source>The file is a link to {words}, outside the config folders. Allow it, or put a copy in its place.</source>
        <translation>Die Datei ist ein Link auf {words}, außerhalb der Konfigurationsordner. Erlauben Sie ihn, oder ersetzen Sie ihn durch eine Kopie.</translation>
    </message>
    <message>
        <source>The file is damaged; restore it from a backup.</source>
        <translation>Die Datei ist beschädigt; stellen Sie sie aus einer Sicherung wieder her.</translation>
    </message>
    <message>
        <source>The file is incomplete. Download it again.</source>
        <translation>Die Datei ist unvollständig. Laden Sie sie noch einmal herunter.</translation>
    </message>
    <message numerus="yes">
        <source>The file is larger than %n MB. Export the character again without pictures and other assets.</source>
        <translation>
            <numerusform>Die Datei ist größer als %n MB. Exportieren Sie den Charakter noch einmal ohne Bilder und andere Beigaben.</numerusform>
            <numerusform>Die Datei ist größer als %n MB. Exportieren Sie den Charakter noch einmal ohne Bilder und andere Beigaben.</numerusform>
        </translation>
    </message>
    <message>
        <source>The file is larger than 1 MB.</source>
        <translation>Die Datei ist größer als 1 MB.</translation>
    </message>
    <message>
        <source>The file is larger than 5 MB. Remove what is not needed from it.</source>
        <translation>Die Datei ist größer als 5 MB. Entfernen Sie daraus, was nicht gebraucht wird.</translation>
    </message>
    <message>
        <source>The file is nested too deeply.</source>
        <translation>Die Datei ist zu tief verschachtelt.</translation>
    </message>
    <message>
        <source>The file is not UTF-8; save it as UTF-8.</source>
        <translation>Die Datei ist nicht in UTF-8; speichern Sie sie als UTF-8.</translation>
    </message>
    <message>
        <source>The file is not valid JSON: {words}.</source>
        <translation>Die Datei ist kein gültiges JSON: {words}.</translation>
    </message>
    <message>
        <source>The file is not valid TOML: {words}.</source>
        <translation>Die Datei ist kein gültiges TOML: {words}.</translation>
    </message>
    <message>
        <source>The file of weights for the choice of context is missing or damaged.</source>
        <translation>Die Datei mit den Gewichten für die Auswahl des Kontexts fehlt oder ist beschädigt.</translation>
    </message>
    <message>
        <source>The folder can't be read: {words}.</source>
        <translation>Der Ordner lässt sich nicht lesen: {words}.</translation>
    </message>
    <message>
        <source>The key could not be checked: Gemini can't answer now (HTTP {n}). Try again later.</source>
        <translation>Der Schlüssel konnte nicht geprüft werden: Gemini kann gerade nicht antworten (HTTP {n}). Versuchen Sie es später noch einmal.</translation>
    </message>
    <message>
        <source>The key could not be checked: Gemini can't be reached. Check the network connection.</source>
        <translation>Der Schlüssel konnte nicht geprüft werden: Gemini ist nicht erreichbar. Prüfen Sie die Netzwerkverbindung.</translation>
    </message>
    <message>
        <source>The key could not be checked: Gemini did not answer in time. Try again in a moment.</source>
        <translation>Der Schlüssel konnte nicht geprüft werden: Gemini hat nicht rechtzeitig geantwortet. Versuchen Sie es gleich noch einmal.</translation>
    </message>
    <message>
        <source>The key is restricted, and not for this use. Allow it the Gemini API, without an address or app of its own.</source>
        <translation>Der Schlüssel ist eingeschränkt und nicht für diesen Zweck gedacht. Erlauben Sie ihm die Gemini API, ohne Bindung an Adressen oder Apps.</translation>
    </message>
    <message numerus="yes">
        <source>The key works with %n model(s).</source>
        <translation>
            <numerusform>Der Schlüssel funktioniert, mit %n Modell.</numerusform>
            <numerusform>Der Schlüssel funktioniert, mit %n Modellen.</numerusform>
        </translation>
    </message>
    <message>
        <source>The key works, but it can't be used with any model that writes text.</source>
        <translation>Der Schlüssel funktioniert, aber mit keinem Modell, das Texte schreibt.</translation>
    </message>
    <message>
        <source>The key works, but its quota is used up for now. Wait, or check its plan and billing.</source>
        <translation>Der Schlüssel funktioniert, aber sein Kontingent ist vorerst aufgebraucht. Warten Sie, oder prüfen Sie Tarif und Abrechnung.</translation>
    </message>
    <message>
        <source>The keychain did not answer within {words} s.</source>
        <translation>Der Schlüsselbund hat nicht innerhalb von {words} s geantwortet.</translation>
    </message>
    <message>
        <source>The keychain did not keep the secret.</source>
        <translation>Der Schlüsselbund hat das Geheimnis nicht behalten.</translation>
    </message>
    <message>
        <source>The keychain failed ({words}).</source>
        <translation>Der Schlüsselbund hat versagt ({words}).</translation>
    </message>
    <message>
        <source>The keychain is locked, and was not opened.</source>
        <translation>Der Schlüsselbund ist gesperrt und wurde nicht geöffnet.</translation>
    </message>
    <message>
        <source>The keychain or the file of secrets can't be read.</source>
        <translation>Der Schlüsselbund oder die Datei mit den Geheimnissen lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>The last plan is over. {why}</source>
        <translation>Der letzte Plan ist beendet. {why}</translation>
    </message>
    <message>
        <source>The local model failed: {words}</source>
        <translation>Das lokale Modell ist gescheitert: {words}</translation>
    </message>
    <message>
        <source>The login of this account was not finished: its password is missing. Log in again.</source>
        <translation>Die Anmeldung dieses Kontos ist nicht abgeschlossen: Das Passwort fehlt. Melden Sie sich noch einmal an.</translation>
    </message>
    <message>
        <source>The memory file {words} can't be read. {why}</source>
        <translation>Die Erinnerungsdatei {words} kann nicht gelesen werden. {why}</translation>
    </message>
    <message>
        <source>The model wrote nothing to send.</source>
        <translation>Das Modell schrieb nichts, was zu senden wäre.</translation>
    </message>
    <message>
        <source>The model's answer could not be used.</source>
        <translation>Die Antwort des Modells war nicht zu gebrauchen.</translation>
    </message>
    <message>
        <source>The name also names a folder: it must not be longer than {n} bytes.</source>
        <translation>Der Name ist auch der eines Ordners: Er darf höchstens {n} Byte lang sein.</translation>
    </message>
    <message>
        <source>The name also names a folder: it must not contain / \ : * ? " &lt; &gt; | or invisible characters.</source>
        <translation>Der Name ist auch der eines Ordners: / \ : * ? " &lt; &gt; | und unsichtbare Zeichen sind darin nicht erlaubt.</translation>
    </message>
    <message>
        <source>The name also names a folder: no dot or space at the beginning or the end.</source>
        <translation>Der Name ist auch der eines Ordners: Am Anfang und am Ende darf weder ein Punkt noch ein Leerzeichen stehen.</translation>
    </message>
    <message>
        <source>The name must be one line of at most {n} characters.</source>
        <translation>Der Name muss in einer Zeile stehen und höchstens {n} Zeichen haben.</translation>
    </message>
    <message>
        <source>The name “{words}” is already used by {more}, which comes first.</source>
        <translation>Den Namen „{words}“ verwendet schon {more}; diese Datei hat Vorrang.</translation>
    </message>
    <message>
        <source>The name “{words}” is still another agent’s, whose own file could not be used. Fix that first.</source>
        <translation>Den Namen „{words}“ hat noch ein anderer Agent, dessen Datei sich nicht verwenden ließ. Beheben Sie das zuerst.</translation>
    </message>
    <message>
        <source>The name “{words}” is taken by a folder or a device; choose another.</source>
        <translation>Der Name „{words}“ ist für einen Ordner oder ein Gerät vergeben; wählen Sie einen anderen.</translation>
    </message>
    <message>
        <source>The name “{words}” is taken by {more}.</source>
        <translation>Den Namen „{words}“ hat schon {more}.</translation>
    </message>
    <message>
        <source>The name “{words}” is taken: there is a file {more}.</source>
        <translation>Der Name „{words}“ ist vergeben: Es gibt eine Datei {more}.</translation>
    </message>
    <message>
        <source>The number in {words} could not be changed, so change it there yourself. {why}</source>
        <translation>Die Nummer in {words} ließ sich nicht ändern; ändern Sie sie dort selbst. {why}</translation>
    </message>
    <message>
        <source>The number in {words} was changed.</source>
        <translation>Die Nummer in {words} wurde geändert.</translation>
    </message>
    <message>
        <source>The number is “{words}”’s, and the name “{more}” is that of an earlier agent with an account of its own, so it is unclear whose messages this persona would answer. Write another name into the file, or another number.</source>
        <translation>Die Nummer gehört „{words}“, und „{more}“ heißt ein früherer Agent mit eigenem Konto; daher ist unklar, wessen Nachrichten diese Persona beantworten würde. Schreiben Sie einen anderen Namen in die Datei, oder eine andere Nummer.</translation>
    </message>
    <message>
        <source>The number {words} belongs to “{more}”.</source>
        <translation>Die Nummer {words} gehört „{more}“.</translation>
    </message>
    <message>
        <source>The outcome of a send could not be stored. {why}</source>
        <translation>Das Ergebnis einer Sendung ließ sich nicht speichern. {why}</translation>
    </message>
    <message>
        <source>The part of this link after the ? can't be read. {why}</source>
        <translation>Der Teil dieses Links nach dem ? ist nicht lesbar. {why}</translation>
    </message>
    <message>
        <source>The partner asked for it.</source>
        <translation>Der Partner hat darum gebeten.</translation>
    </message>
    <message>
        <source>The password was changed just now. Enter the new one.</source>
        <translation>Das Passwort wurde gerade geändert. Geben Sie das neue ein.</translation>
    </message>
    <message>
        <source>The permission for this link could not be saved: {words}.</source>
        <translation>Die Erlaubnis für diesen Link ließ sich nicht speichern: {words}.</translation>
    </message>
    <message>
        <source>The phone number {words} is already used by {more}, which comes first.</source>
        <translation>Die Telefonnummer {words} verwendet schon {more}; diese Datei hat Vorrang.</translation>
    </message>
    <message>
        <source>The picture is damaged: the checksum of its part {words} is wrong. Download it again.</source>
        <translation>Das Bild ist beschädigt: Die Prüfsumme seines Teils {words} stimmt nicht. Laden Sie es noch einmal herunter.</translation>
    </message>
    <message>
        <source>The plan changed meanwhile; nothing was done. Look at it, then try again.</source>
        <translation>Der Plan hat sich inzwischen geändert; nichts wurde getan. Sehen Sie ihn an und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The plan was replaced meanwhile.</source>
        <translation>Der Plan wurde inzwischen ersetzt.</translation>
    </message>
    <message>
        <source>The prompt “{words}” is used by {more}. Remove it from their role prompts first.</source>
        <translation>Der Prompt „{words}“ wird von {more} verwendet. Entfernen Sie ihn zuerst aus den Rollen-Prompts.</translation>
    </message>
    <message>
        <source>The proxy {words} can't be reached. Check its address, or whether it is running.</source>
        <translation>Der Proxy {words} ist nicht erreichbar. Prüfen Sie seine Adresse, oder ob er läuft.</translation>
    </message>
    <message>
        <source>The proxy {words} can't reach Telegram from where it is.</source>
        <translation>Der Proxy {words} kann Telegram von dort aus nicht erreichen.</translation>
    </message>
    <message>
        <source>The proxy {words} can't use this username or password.</source>
        <translation>Der Proxy {words} kann diesen Benutzernamen oder dieses Passwort nicht verwenden.</translation>
    </message>
    <message>
        <source>The proxy {words} closed the connection at once. Is its secret right?</source>
        <translation>Der Proxy {words} hat die Verbindung sofort beendet. Stimmt sein Geheimnis?</translation>
    </message>
    <message>
        <source>The proxy {words} does not accept the username and password. Check them.</source>
        <translation>Der Proxy {words} nimmt Benutzernamen und Passwort nicht an. Prüfen Sie beide.</translation>
    </message>
    <message>
        <source>The proxy {words} does not allow connections to Telegram.</source>
        <translation>Der Proxy {words} erlaubt keine Verbindungen zu Telegram.</translation>
    </message>
    <message>
        <source>The proxy {words} does not answer in time.</source>
        <translation>Der Proxy {words} antwortet nicht rechtzeitig.</translation>
    </message>
    <message>
        <source>The proxy {words} has closed the connection.</source>
        <translation>Der Proxy {words} hat die Verbindung beendet.</translation>
    </message>
    <message>
        <source>The proxy {words} refused the connection (answer {n}).</source>
        <translation>Der Proxy {words} hat die Verbindung abgelehnt (Antwort {n}).</translation>
    </message>
    <message>
        <source>The proxy's host is missing. {why}</source>
        <translation>Der Host des Proxys fehlt. {why}</translation>
    </message>
    <message>
        <source>The proxy's host is not a server name: only letters, digits, dots and hyphens are allowed.</source>
        <translation>Der Host des Proxys ist kein Servername: Erlaubt sind nur Buchstaben, Ziffern, Punkte und Bindestriche.</translation>
    </message>
    <message>
        <source>The proxy's numeric address is not valid. Check its digits.</source>
        <translation>Die Zahlenadresse des Proxys ist nicht gültig. Prüfen Sie die Ziffern.</translation>
    </message>
    <message>
        <source>The proxy's port is a number from 1 to 65535.</source>
        <translation>Der Port des Proxys ist eine Zahl von 1 bis 65535.</translation>
    </message>
    <message>
        <source>The proxy's port is missing. Write it after the host, such as proxy.example:1080.</source>
        <translation>Der Port des Proxys fehlt. Schreiben Sie ihn hinter den Host, etwa proxy.example:1080.</translation>
    </message>
    <message>
        <source>The proxy's username or password has a % that is not an escape. Write % as %25.</source>
        <translation>Benutzername oder Passwort des Proxys enthalten ein %, das nichts bedeutet. Schreiben Sie % als %25.</translation>
    </message>
    <message>
        <source>The proxy's username or password is too long or has control characters.</source>
        <translation>Benutzername oder Passwort des Proxys sind zu lang oder enthalten Steuerzeichen.</translation>
    </message>
    <message>
        <source>The rate limit has ended. Show a new QR code when you have the phone ready.</source>
        <translation>Die Wartezeit ist vorbei. Zeigen Sie einen neuen QR-Code, sobald Sie das Telefon bereit haben.</translation>
    </message>
    <message>
        <source>The role prompt “{words}” can't be used. {why}</source>
        <translation>Der Rollenprompt „{words}“ lässt sich nicht verwenden. {why}</translation>
    </message>
    <message>
        <source>The role prompt “{words}” is a link to {more}, outside the config folders. Allow it, or put a copy in its place.</source>
        <translation>Der Rollenprompt „{words}“ ist ein Link auf {more}, außerhalb der Konfigurationsordner. Erlauben Sie ihn, oder ersetzen Sie ihn durch eine Kopie.</translation>
    </message>
    <message>
        <source>The saved proxy can't be read, and the account does not connect without knowing it. Unlock the keychain or fix the file of secrets, or set the proxy again.</source>
        <translation>Der gespeicherte Proxy lässt sich nicht lesen, und ohne ihn wird das Konto nicht verbunden. Entsperren Sie den Schlüsselbund, reparieren Sie die Datei mit den Geheimnissen, oder tragen Sie den Proxy neu ein.</translation>
    </message>
    <message>
        <source>The saved proxy has not been read yet. The account connects after that.</source>
        <translation>Der gespeicherte Proxy ist noch nicht gelesen. Danach wird das Konto verbunden.</translation>
    </message>
    <message>
        <source>The saved proxy of this account is damaged. Set it again, or remove it.</source>
        <translation>Der gespeicherte Proxy dieses Kontos ist beschädigt. Tragen Sie ihn neu ein, oder entfernen Sie ihn.</translation>
    </message>
    <message>
        <source>The scheduler stopped after an unexpected error ({more}).</source>
        <translation>Die Ablaufsteuerung endete nach einem unerwarteten Fehler ({more}).</translation>
    </message>
    <message>
        <source>The search of memories by meaning stopped after an unexpected error ({more}).</source>
        <translation>Die Suche in Erinnerungen nach Bedeutung hat nach einem unerwarteten Fehler aufgehört ({more}).</translation>
    </message>
    <message>
        <source>The session file can't be used: {words}. Check the permissions of the data folder, and its disk.</source>
        <translation>Die Sitzungsdatei lässt sich nicht verwenden: {words}. Prüfen Sie die Rechte des Datenordners und den Datenträger.</translation>
    </message>
    <message>
        <source>The session file can't be used: {words}. Is another Chimein running?</source>
        <translation>Die Sitzungsdatei lässt sich nicht verwenden: {words}. Läuft noch ein anderes Chimein?</translation>
    </message>
    <message>
        <source>The session file could not be removed. Check the permissions of the data folder, then log out again.</source>
        <translation>Die Sitzungsdatei ließ sich nicht entfernen. Prüfen Sie die Rechte des Datenordners, und melden Sie sich dann noch einmal ab.</translation>
    </message>
    <message>
        <source>The session file is damaged. Log in again.</source>
        <translation>Die Sitzungsdatei ist beschädigt. Melden Sie sich noch einmal an.</translation>
    </message>
    <message>
        <source>The session file of this login can’t be written. Free some disk space or check the permissions of the data folder, then try again.</source>
        <translation>Die Sitzungsdatei dieser Anmeldung lässt sich nicht schreiben. Schaffen Sie Platz, oder prüfen Sie die Rechte des Datenordners, und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
        <source>The state of “{words}” can't be moved: {more} belongs to an earlier agent of the new name. Move that folder away, or give the agent another name.</source>
        <translation>Der Zustand von „{words}“ lässt sich nicht verschieben: {more} gehört einem früheren Agenten des neuen Namens. Verschieben Sie jenen Ordner, oder geben Sie dem Agenten einen anderen Namen.</translation>
    </message>
    <message>
        <source>The state of “{words}” can't be moved: {more}.</source>
        <translation>Der Zustand von „{words}“ lässt sich nicht verschieben: {more}.</translation>
    </message>
    <message>
        <source>The step would wait for itself. Choose another one.</source>
        <translation>Der Schritt würde auf sich selbst warten. Wählen Sie einen anderen.</translation>
    </message>
    <message>
        <source>The text contains characters that can't be sent. Remove them.</source>
        <translation>Der Text enthält Zeichen, die sich nicht senden lassen. Entfernen Sie sie.</translation>
    </message>
    <message numerus="yes">
        <source>The text has %n character(s), more than can be sent at once. Shorten it.</source>
        <translation>
            <numerusform>Der Text hat %n Zeichen, mehr als sich auf einmal senden lässt. Kürzen Sie ihn.</numerusform>
            <numerusform>Der Text hat %n Zeichen, mehr als sich auf einmal senden lässt. Kürzen Sie ihn.</numerusform>
        </translation>
    </message>
    <message>
        <source>The text holds half characters that no file can hold. Remove them and save again.</source>
        <translation>Der Text enthält halbe Zeichen, die in keiner Datei stehen können. Entfernen Sie diese und speichern Sie erneut.</translation>
    </message>
    <message>
        <source>There is a file {words} already.</source>
        <translation>Die Datei {words} gibt es schon.</translation>
    </message>
    <message>
        <source>There is a password without a username. Write user:password@ before the host.</source>
        <translation>Das Passwort hat keinen Benutzernamen. Schreiben Sie user:password@ vor den Host.</translation>
    </message>
    <message>
        <source>There is already a description: {words}.</source>
        <translation>Es gibt schon eine Beschreibung: {words}.</translation>
    </message>
    <message>
        <source>There is already an agent “{words}”.</source>
        <translation>Einen Agenten „{words}“ gibt es schon.</translation>
    </message>
    <message>
        <source>There is no Telegram account with this number. Check it, or create the account in the Telegram app first.</source>
        <translation>Zu dieser Nummer gibt es kein Telegram-Konto. Prüfen Sie sie, oder legen Sie das Konto zuerst in der Telegram-App an.</translation>
    </message>
    <message>
        <source>There is no character in this file. Choose a character card: PNG, JSON or CHARX.</source>
        <translation>Diese Datei enthält keinen Charakter. Wählen Sie eine Charakterkarte: PNG, JSON oder CHARX.</translation>
    </message>
    <message>
        <source>There is no config folder to write the agent into.</source>
        <translation>Es gibt keinen Konfigurationsordner, in den der Agent geschrieben werden könnte.</translation>
    </message>
    <message>
        <source>There is no connection to Telegram.</source>
        <translation>Es gibt keine Verbindung zu Telegram.</translation>
    </message>
    <message>
        <source>There is no key, or it has characters that no key has. Copy it from aistudio.google.com/apikey.</source>
        <translation>Der Schlüssel fehlt oder enthält Zeichen, die in keinem Schlüssel vorkommen. Kopieren Sie ihn von aistudio.google.com/apikey.</translation>
    </message>
    <message>
        <source>There is no role prompt “{words}”.</source>
        <translation>Einen Rollenprompt „{words}“ gibt es nicht.</translation>
    </message>
    <message>
        <source>There is no role prompt “{words}”: no prompts/{words}.md, neither the agent's own nor a shared one.</source>
        <translation>Einen Rollenprompt „{words}“ gibt es nicht: Es fehlt prompts/{words}.md, sowohl beim Agenten selbst als auch unter den gemeinsamen.</translation>
    </message>
    <message>
        <source>There is nothing to send. Write something, or reject the draft.</source>
        <translation>Es gibt nichts zu senden. Schreiben Sie etwas, oder lehnen Sie den Entwurf ab.</translation>
    </message>
    <message>
        <source>There is nothing to undo in this plan.</source>
        <translation>In diesem Plan gibt es nichts rückgängig zu machen.</translation>
    </message>
    <message>
        <source>They are found by their words; messages are not affected. It restarts automatically. See the log.</source>
        <translation>Sie werden über ihre Wörter gefunden; Nachrichten sind nicht betroffen. Sie startet automatisch neu. Siehe Protokoll.</translation>
    </message>
    <message>
        <source>They wait in memory; messages are not affected. It restarts automatically. See the log.</source>
        <translation>Sie warten im Arbeitsspeicher; Nachrichten sind nicht betroffen. Der Neustart folgt automatisch. Näheres steht im Protokoll.</translation>
    </message>
    <message>
        <source>This MTProxy needs fake TLS (its secret begins with ee), which is not supported. Ask for a secret that begins with dd, or use a SOCKS5 proxy.</source>
        <translation>Dieser MTProxy verlangt Fake-TLS (sein Geheimnis beginnt mit ee); das wird nicht unterstützt. Bitten Sie um ein Geheimnis, das mit dd beginnt, oder nehmen Sie einen SOCKS5-Proxy.</translation>
    </message>
    <message>
        <source>This account already belongs to another agent here. Use another account, or log that agent out first.</source>
        <translation>Dieses Konto gehört hier schon einem anderen Agenten. Nehmen Sie ein anderes Konto, oder melden Sie jenen zuerst ab.</translation>
    </message>
    <message>
        <source>This account already belongs to {words} here, so it was logged out again at once. Use another account, or log {words} out first.</source>
        <translation>Dieses Konto gehört hier schon {words}, daher wurde es sofort wieder abgemeldet. Nehmen Sie ein anderes Konto, oder melden Sie erst {words} ab.</translation>
    </message>
    <message>
        <source>This account has no password any more. Log in again.</source>
        <translation>Dieses Konto hat kein Passwort mehr. Melden Sie sich noch einmal an.</translation>
    </message>
    <message>
        <source>This account has no such message in this chat.</source>
        <translation>Dieses Konto hat keine solche Nachricht in diesem Chat.</translation>
    </message>
    <message>
        <source>This account is already in use here by {words}. Log in with another one, or stop {words} first and then start this agent.</source>
        <translation>Dieses Konto verwendet hier schon {words}. Melden Sie sich mit einem anderen an, oder stoppen Sie erst {words}, und starten Sie dann diesen Agenten.</translation>
    </message>
    <message>
        <source>This account is not connected. {why}</source>
        <translation>Dieses Konto ist nicht verbunden. {why}</translation>
    </message>
    <message>
        <source>This account is not logged in here. Log it in from the Agents pane.</source>
        <translation>Dieses Konto ist hier nicht angemeldet. Melden Sie es im Bereich Agenten an.</translation>
    </message>
    <message>
        <source>This account may not write here.</source>
        <translation>Dieses Konto darf hier nicht schreiben.</translation>
    </message>
    <message>
        <source>This agent was not made from a character card, or the copy of its card is gone.</source>
        <translation>Dieser Agent wurde nicht aus einer Charakterkarte gemacht, oder die Kopie seiner Karte ist weg.</translation>
    </message>
    <message>
        <source>This chat is set to observe only.</source>
        <translation>In diesem Chat wird nur beobachtet.</translation>
    </message>
    <message>
        <source>This code is no longer valid. Request a new one.</source>
        <translation>Dieser Code gilt nicht mehr. Fordern Sie einen neuen an.</translation>
    </message>
    <message>
        <source>This is a chat, not a character. Chats of other programs are not imported: their people are unknown here.</source>
        <translation>Das ist ein Chat, kein Charakter. Chats anderer Programme werden nicht importiert: Ihre Teilnehmer sind hier unbekannt.</translation>
    </message>
    <message>
        <source>This is a lorebook without a character. Choose the card of the character it belongs to.</source>
        <translation>Das ist ein Lorebook ohne Charakter. Wählen Sie die Karte des Charakters, zu dem es gehört.</translation>
    </message>
    <message>
        <source>This is empty. To delete a secret, remove it.</source>
        <translation>Das Feld ist leer. Um ein Geheimnis zu löschen, entfernen Sie es.</translation>
    </message>
    <message>
        <source>This is longer than one message. Shorten it, or send the rest as a new one.</source>
        <translation>Das ist länger als eine Nachricht. Kürzen Sie es, oder senden Sie den Rest als neue.</translation>
    </message>
    <message>
        <source>This is not a proxy address: its host or port can't be read. {why}</source>
        <translation>Das ist keine Proxy-Adresse: Host oder Port sind nicht lesbar. {why}</translation>
    </message>
    <message>
        <source>This is not a proxy. {why}</source>
        <translation>Das ist kein Proxy. {why}</translation>
    </message>
    <message>
        <source>This is not a regular file, but a pipe, a device or a folder.</source>
        <translation>Das ist keine gewöhnliche Datei, sondern eine Pipe, ein Gerät oder ein Ordner.</translation>
    </message>
    <message>
        <source>This is not the same account as before, so its chats start over. What the old one wrote and received stays stored. {why}</source>
        <translation>Das ist ein anderes Konto als bisher, daher beginnen die Chats von vorn. Was das alte schrieb und empfing, bleibt gespeichert. {why}</translation>
    </message>
    <message>
        <source>This kind of proxy is not supported. {why}</source>
        <translation>Diese Art Proxy wird nicht unterstützt. {why}</translation>
    </message>
    <message>
        <source>This line has a NUL byte, so the file is not text. Save it as UTF-8.</source>
        <translation>Diese Zeile enthält ein NUL-Byte, die Datei ist also kein Text; speichern Sie sie als UTF-8.</translation>
    </message>
    <message>
        <source>This login was made in the sandbox and is not valid on Telegram. Log the account in again.</source>
        <translation>Diese Anmeldung stammt aus der Sandbox und gilt bei Telegram nicht. Melden Sie das Konto noch einmal an.</translation>
    </message>
    <message>
        <source>This memory was decided meanwhile.</source>
        <translation>Über diese Erinnerung wurde inzwischen entschieden.</translation>
    </message>
    <message>
        <source>This message was not saved. Send it again.</source>
        <translation>Diese Nachricht wurde nicht gespeichert. Senden Sie sie noch einmal.</translation>
    </message>
    <message>
        <source>This must be decided on its own card.</source>
        <translation>Darüber muss auf der eigenen Karte entschieden werden.</translation>
    </message>
    <message>
        <source>This number belongs to {words}.</source>
        <translation>Diese Nummer gehört {words}.</translation>
    </message>
    <message>
        <source>This picture holds no character. Pictures lose it when a website or a chat converts them: download the original PNG.</source>
        <translation>Dieses Bild enthält keinen Charakter. Er geht verloren, wenn eine Website oder ein Chat das Bild umwandelt: Laden Sie die ursprüngliche PNG-Datei herunter.</translation>
    </message>
    <message>
        <source>This plan is over. Write a message of your own instead.</source>
        <translation>Dieser Plan ist vorbei. Schreiben Sie stattdessen eine eigene Nachricht.</translation>
    </message>
    <message>
        <source>This run can't write or remove files.</source>
        <translation>Dieser Lauf kann keine Dateien schreiben oder entfernen.</translation>
    </message>
    <message>
        <source>This step does not wait for another try.</source>
        <translation>Dieser Schritt wartet nicht auf einen neuen Versuch.</translation>
    </message>
    <message>
        <source>This step has begun. Shorten it, end it now or skip it instead.</source>
        <translation>Dieser Schritt hat begonnen. Kürzen, beenden oder überspringen Sie ihn.</translation>
    </message>
    <message>
        <source>This step is no wait.</source>
        <translation>Dieser Schritt ist keine Pause.</translation>
    </message>
    <message>
        <source>This step is over.</source>
        <translation>Dieser Schritt ist vorbei.</translation>
    </message>
    <message>
        <source>This step makes the plan. Cancel or regenerate the plan instead.</source>
        <translation>Dieser Schritt macht den Plan. Brechen Sie den Plan ab oder lassen Sie ihn neu schreiben.</translation>
    </message>
    <message>
        <source>This version no longer exists.</source>
        <translation>Diese Version gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>This wait has not begun: an earlier step comes first.</source>
        <translation>Diese Pause hat noch nicht begonnen: Erst kommt ein früherer Schritt.</translation>
    </message>
    <message>
        <source>Too late to undo: a step of it has already run.</source>
        <translation>Zu spät: Ein Schritt davon ist schon gelaufen.</translation>
    </message>
    <message>
        <source>Too many logins were tried with this account. Try again in some hours.</source>
        <translation>Mit diesem Konto wurde zu oft eine Anmeldung versucht. Versuchen Sie es in einigen Stunden noch einmal.</translation>
    </message>
    <message>
        <source>Trust is off in this chat.</source>
        <translation>Die Vertrauensstufe dieses Chats ist „Aus“.</translation>
    </message>
    <message>
        <source>Unexpected error ({words}); trying again. Details are in the log.</source>
        <translation>Unerwarteter Fehler ({words}); der nächste Versuch folgt. Näheres steht im Protokoll.</translation>
    </message>
    <message>
        <source>Unexpected error in the background: {words} ({more}).</source>
        <translation>Unerwarteter Fehler im Hintergrund: {words} ({more}).</translation>
    </message>
    <message numerus="yes">
        <source>Unpacked, the card would take more than %n MB, so it was not read. Use another copy of the card.</source>
        <translation>
            <numerusform>Entpackt wäre die Karte größer als %n MB; sie wurde deshalb nicht gelesen. Verwenden Sie eine andere Kopie der Karte.</numerusform>
            <numerusform>Entpackt wäre die Karte größer als %n MB; sie wurde deshalb nicht gelesen. Verwenden Sie eine andere Kopie der Karte.</numerusform>
        </translation>
    </message>
    <message>
        <source>Waits until another plan is finished.</source>
        <translation>Wartet, bis ein anderer Plan fertig ist.</translation>
    </message>
    <message>
        <source>Waits whether more messages follow.</source>
        <translation>Wartet ab, ob noch Nachrichten folgen.</translation>
    </message>
    <message>
        <source>Watching the agent files stopped after an unexpected error ({more}).</source>
        <translation>Die Beobachtung der Agentendateien endete nach einem unerwarteten Fehler ({more}).</translation>
    </message>
    <message>
        <source>What answered was not Gemini. Is there a login page between this computer and the network?</source>
        <translation>Die Antwort kam nicht von Gemini. Liegt zwischen diesem Computer und dem Netz eine Anmeldeseite?</translation>
    </message>
    <message>
        <source>What can't be undone is never added to a plan by hand. Use the chat's menu.</source>
        <translation>Was sich nicht rückgängig machen lässt, wird nie von Hand in einen Plan gesetzt. Nehmen Sie das Menü des Chats.</translation>
    </message>
    <message>
        <source>What this memory rests on has changed. Edit its text, or reject it.</source>
        <translation>Worauf diese Erinnerung beruht, hat sich geändert. Bearbeiten Sie den Text, oder lehnen Sie sie ab.</translation>
    </message>
    <message numerus="yes">
        <source>Whether %n message(s) of the old account arrived can't be checked any more.</source>
        <translation>
            <numerusform>Ob %n Nachricht des alten Kontos ankam, lässt sich nicht mehr prüfen.</numerusform>
            <numerusform>Ob %n Nachrichten des alten Kontos ankamen, lässt sich nicht mehr prüfen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Without the model's key nothing is planned, and accounts with a proxy do not connect. Unlock the keychain or fix the file, or enter the secrets again in Preferences.</source>
        <translation>Ohne den Schlüssel des Modells wird nichts geplant, und Konten mit Proxy werden nicht verbunden. Entsperren Sie den Schlüsselbund, reparieren Sie die Datei, oder tragen Sie die Geheimnisse in den Einstellungen neu ein.</translation>
    </message>
    <message>
        <source>Write a space after the #: “# {words}”.</source>
        <translation>Schreiben Sie nach dem # ein Leerzeichen: „# {words}“.</translation>
    </message>
    <message>
        <source>Write each sticker as SET :: STICKER, with the short name of its set.</source>
        <translation>Schreiben Sie jeden Sticker als SET :: STICKER, mit dem Kurznamen seines Sets.</translation>
    </message>
    <message>
        <source>Write one model name, such as gemini-2.5-flash.</source>
        <translation>Schreiben Sie den Namen eines Modells, zum Beispiel gemini-2.5-flash.</translation>
    </message>
    <message>
        <source>Write one of: {words}.</source>
        <translation>Möglich sind nur: {words}.</translation>
    </message>
    <message>
        <source>Write one time zone, in one line.</source>
        <translation>Schreiben Sie eine einzige Zeitzone, in einer Zeile.</translation>
    </message>
    <message>
        <source>Write socks5://host:port or http://host:port (with user:password@ before the host if it asks for them), or an MTProxy link such as tg://proxy?server=…&amp;port=…&amp;secret=….</source>
        <translation>Schreiben Sie socks5://host:port oder http://host:port (mit user:password@ vor dem Host, wenn er danach fragt), oder einen MTProxy-Link wie tg://proxy?server=…&amp;port=…&amp;secret=….</translation>
    </message>
    <message>
        <source>Write “# {words}” with one #, or it is text of the field above.</source>
        <translation>Schreiben Sie „# {words}“ mit nur einem #, sonst gehört es zum Text des Feldes darüber.</translation>
    </message>
    <message>
        <source>Write “history N” (N up to {n}) or “chime-in”, optionally after “DM:” or “Group:”.</source>
        <translation>Schreiben Sie „history N“ (N bis {n}) oder „chime-in“, bei Bedarf nach „DM:“ oder „Group:“.</translation>
    </message>
    <message>
        <source>Wrong code. Check it, or request a new one.</source>
        <translation>Falscher Code. Prüfen Sie ihn, oder fordern Sie einen neuen an.</translation>
    </message>
    <message>
        <source>Wrong password. It is case-sensitive. Try again.</source>
        <translation>Falsches Passwort. Groß- und Kleinschreibung zählt. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>You logged it out.</source>
        <translation>Sie haben es abgemeldet.</translation>
    </message>
    <message>
        <source>You took it back.</source>
        <translation>Sie haben es zurückgenommen.</translation>
    </message>
    <message>
        <source>You took over; the agent waits.</source>
        <translation>Sie haben übernommen; der Agent wartet.</translation>
    </message>
    <message>
        <source>{why} After the release it waits in the review, selected. It is sent when you confirm it there.</source>
        <translation>{why} Nach dem Aufheben wartet sie ausgewählt in der Durchsicht. Gesendet wird sie, wenn Sie es dort bestätigen.</translation>
    </message>
    <message>
        <source>{why} All defaults apply.</source>
        <translation>{why} Es gelten alle Vorgaben.</translation>
    </message>
    <message>
        <source>{why} Google says: {words}</source>
        <translation>{why} Google meldet: {words}</translation>
    </message>
    <message>
        <source>{why} Press again to keep it until the release.</source>
        <translation>{why} Noch einmal drücken, um sie bis zum Aufheben zu behalten.</translation>
    </message>
    <message>
        <source>{why} Secrets are kept in the file {words}, unencrypted: only you can read it.</source>
        <translation>{why} Geheimnisse liegen unverschlüsselt in der Datei {words}; lesen können nur Sie sie.</translation>
    </message>
    <message>
        <source>{why} Secrets are kept until Chimein ends, and have to be entered again.</source>
        <translation>{why} Geheimnisse werden nur behalten, bis Chimein beendet wird, und sind dann neu einzugeben.</translation>
    </message>
    <message>
        <source>{why} Set it under Agents, Proxy, then try again.</source>
        <translation>{why} Tragen Sie ihn unter Agenten, Proxy ein, und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
        <source>{why} You can use your text as a message instead.</source>
        <translation>{why} Sie können Ihren Text stattdessen als Nachricht senden.</translation>
    </message>
    <message>
        <source>{why} {words} can't be read. Fix it, or remove it and start Chimein again.</source>
        <translation>{why} {words} lässt sich nicht lesen: Reparieren oder entfernen Sie die Datei, und starten Sie Chimein neu.</translation>
    </message>
    <message>
        <source>{why} {words} can't be written: {more}.</source>
        <translation>{why} {words} lässt sich nicht schreiben: {more}.</translation>
    </message>
    <message>
        <source>{why} “{words}”, which answers for agents that name no model, is not among them: choose another one.</source>
        <translation>{why} „{words}“, das für Agenten ohne eigenes Modell antwortet, gehört nicht dazu: Wählen Sie ein anderes.</translation>
    </message>
    <message>
        <source>{words} belongs to a tour. Set CHIMEIN_STATE_DIR to another folder.</source>
        <translation>{words} gehört zu einer Tour. Setzen Sie CHIMEIN_STATE_DIR auf einen anderen Ordner.</translation>
    </message>
    <message>
        <source>{words} belongs to the live program, and the sandbox never uses that data. Set CHIMEIN_STATE_DIR to another folder.</source>
        <translation>{words} gehört zum Live-Betrieb, und die Sandbox nutzt dessen Daten nie. Setzen Sie CHIMEIN_STATE_DIR auf einen anderen Ordner.</translation>
    </message>
    <message>
        <source>{words} belongs to the sandbox, and the live program never uses that data. Set CHIMEIN_STATE_DIR to another folder.</source>
        <translation>{words} gehört zur Sandbox, und der Live-Betrieb nutzt deren Daten nie. Setzen Sie CHIMEIN_STATE_DIR auf einen anderen Ordner.</translation>
    </message>
    <message>
        <source>{words} can't be moved: {more}.</source>
        <translation>{words} kann nicht verschoben werden: {more}.</translation>
    </message>
    <message>
        <source>{words} can't be used: {more}</source>
        <translation>{words} ist nicht zu gebrauchen: {more}</translation>
    </message>
    <message>
        <source>{words} can't be used: {more}. Fix this, or set CHIMEIN_STATE_DIR to another folder.</source>
        <translation>{words} ist nicht nutzbar: {more}. Beheben Sie das oder setzen Sie CHIMEIN_STATE_DIR auf einen anderen Ordner.</translation>
    </message>
    <message>
        <source>{words} can't be written: {more}. Choose another folder.</source>
        <translation>{words} kann nicht geschrieben werden: {more}. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>{words} can't be written: {more}. Nothing has changed.</source>
        <translation>{words} lässt sich nicht schreiben: {more}. Es hat sich nichts geändert.</translation>
    </message>
    <message>
        <source>{words} has other files in it, and Chimein needs a folder of its own. Set CHIMEIN_STATE_DIR to another one.</source>
        <translation>In {words} liegen andere Dateien, und Chimein braucht einen eigenen Ordner. Setzen Sie CHIMEIN_STATE_DIR auf einen anderen.</translation>
    </message>
    <message>
        <source>{words} is a pipe, a socket or a device, not a file. Remove it and start again.</source>
        <translation>{words} ist eine Pipe, ein Socket oder ein Gerät, keine Datei. Entfernen Sie das und starten Sie neu.</translation>
    </message>
    <message>
        <source>{words} is broken, so nothing was changed in it: {more}.</source>
        <translation>{words} ist fehlerhaft, daher wurde darin nichts geändert: {more}.</translation>
    </message>
    <message>
        <source>{words} is larger than 1 MB, so nothing was changed in it.</source>
        <translation>{words} ist größer als 1 MB, daher wurde darin nichts geändert.</translation>
    </message>
    <message>
        <source>{words} is logged in with another account. {why}</source>
        <translation>{words} ist mit einem anderen Konto angemeldet. {why}</translation>
    </message>
    <message>
        <source>{words} is missing. Put the model's files into its folder, or set another one in Preferences.</source>
        <translation>{words} fehlt. Lege die Dateien des Modells in seinen Ordner, oder lege in den Einstellungen einen anderen fest.</translation>
    </message>
    <message>
        <source>{words} is no model that makes vectors of texts. Set another one in Preferences.</source>
        <translation>{words} ist kein Modell, das Vektoren aus Texten macht. Lege in den Einstellungen einen anderen Ordner fest.</translation>
    </message>
    <message>
        <source>{words} is not a proxy of this kind. Check its kind and port.</source>
        <translation>{words} ist kein Proxy dieser Art. Prüfen Sie Art und Port.</translation>
    </message>
    <message>
        <source>{words} is not in one of the config folders.</source>
        <translation>{words} liegt in keinem der Konfigurationsordner.</translation>
    </message>
    <message>
        <source>{words} is written in a way that can't be changed safely: change it by hand.</source>
        <translation>{words} ist so geschrieben, dass sich nichts sicher ändern lässt: Ändern Sie es von Hand.</translation>
    </message>
    <message>
        <source>{words} was changed by another program meanwhile; open it and look at it first.</source>
        <translation>{words} wurde inzwischen von einem anderen Programm geändert; öffnen Sie die Datei zuerst und sehen Sie sie an.</translation>
    </message>
    <message>
        <source>{words}.</source>
        <translation>{words}.</translation>
    </message>
    <message>
        <source>{words}: {why}</source>
        <translation>{words}: {why}</translation>
    </message>
    <message>
        <source>“# {words}” is missing.</source>
        <translation>„# {words}“ fehlt.</translation>
    </message>
    <message>
        <source>“# {words}” is missing. Add it below this line.</source>
        <translation>„# {words}“ fehlt. Ergänzen Sie es unter dieser Zeile.</translation>
    </message>
    <message>
        <source>“{words}” and another agent have exchanged their names or their numbers. Name one of them differently, save, and then give it the name it is to have.</source>
        <translation>„{words}“ und ein anderer Agent haben Namen oder Nummern getauscht. Benennen Sie einen davon anders, speichern Sie, und geben Sie ihm danach den gewünschten Namen.</translation>
    </message>
    <message>
        <source>“{words}” can't be a name for the agent. Write one name of at most {n} characters in each line.</source>
        <translation>„{words}“ kann kein Name des Agenten sein. Schreiben Sie je Zeile einen Namen mit höchstens {n} Zeichen.</translation>
    </message>
    <message>
        <source>“{words}” can't be the name of a prompt file.</source>
        <translation>„{words}“ ist kein möglicher Name einer Promptdatei.</translation>
    </message>
    <message>
        <source>“{words}” in [prices] must be two or three numbers, US dollars a million tokens: [prompt, reply, cached].</source>
        <translation>„{words}“ in [prices] muss zwei oder drei Zahlen sein, US-Dollar je Million Token: [Prompt, Antwort, Cache].</translation>
    </message>
    <message>
        <source>“{words}” is empty.</source>
        <translation>„{words}“ ist leer.</translation>
    </message>
    <message>
        <source>“{words}” is here a second time; the first is in line {n}.</source>
        <translation>„{words}“ steht hier ein zweites Mal; zuerst steht es in Zeile {n}.</translation>
    </message>
    <message>
        <source>“{words}” is no sticker set. Enter its short name, or a link such as t.me/addstickers/Name.</source>
        <translation>„{words}“ ist kein Stickerset. Geben Sie den Kurznamen ein oder einen Link wie t.me/addstickers/Name.</translation>
    </message>
    <message>
        <source>“{words}” is not a field, so its text is not used. Fields are: {more}. Headings in a text begin with ##.</source>
        <translation>„{words}“ ist kein Feld, sein Text wird also nicht verwendet. Felder sind: {more}. Überschriften im Text beginnen mit ##.</translation>
    </message>
    <message>
        <source>“{words}” is not a preference; known are {more}.</source>
        <translation>„{words}“ ist keine Einstellung; bekannt sind {more}.</translation>
    </message>
    <message>
        <source>“{words}” is not an IANA time zone. Write one like Europe/Lisbon.</source>
        <translation>„{words}“ ist keine IANA-Zeitzone. Schreiben Sie eine wie Europe/Lisbon.</translation>
    </message>
    <message>
        <source>“{words}” is not installed, which PostgreSQL needs. Install Chimein with its extra “postgres”, then start it again.</source>
        <translation>„{words}“ ist nicht installiert, PostgreSQL braucht es aber. Installiere Chimein mit seinem Extra „postgres“ und starte es neu.</translation>
    </message>
    <message>
        <source>“{words}” is not installed, which a local model needs. Install Chimein with its extra “local”, then start it again.</source>
        <translation>„{words}“ ist nicht installiert, ein lokales Modell braucht es aber. Installiere Chimein mit seinem Extra „local“ und starte es neu.</translation>
    </message>
    <message>
        <source>“{words}” is not the name of a host on the web. Write one like example.org in each line.</source>
        <translation>„{words}“ ist kein Name eines Hosts im Web. Schreiben Sie in jede Zeile einen wie example.org.</translation>
    </message>
    <message>
        <source>“{words}” is not the short name of a set. Write what follows t.me/addstickers/ in its link.</source>
        <translation>„{words}“ ist kein Kurzname eines Sets. Schreiben Sie, was in dessen Link auf t.me/addstickers/ folgt.</translation>
    </message>
    <message>
        <source>“{words}” may have {n} lines at most; this is one more.</source>
        <translation>„{words}“ darf höchstens {n} Zeilen haben; dies ist eine mehr.</translation>
    </message>
    <message>
        <source>“{words}” must be a list of folders, each with its whole path.</source>
        <translation>„{words}“ muss eine Liste von Ordnern sein, jeder mit vollem Pfad.</translation>
    </message>
    <message>
        <source>“{words}” must be a list of prices.</source>
        <translation>„{words}“ muss eine Liste von Preisen sein.</translation>
    </message>
    <message>
        <source>“{words}” must be a number from {more} to {n}.</source>
        <translation>„{words}“ muss eine Zahl von {more} bis {n} sein.</translation>
    </message>
    <message>
        <source>“{words}” must be a time of day, such as 22:30.</source>
        <translation>„{words}“ muss eine Uhrzeit sein, zum Beispiel 22:30.</translation>
    </message>
    <message>
        <source>“{words}” must be a whole number.</source>
        <translation>„{words}“ muss eine ganze Zahl sein.</translation>
    </message>
    <message>
        <source>“{words}” must be the name of a model, such as {more}.</source>
        <translation>„{words}“ muss der Name eines Modells sein, zum Beispiel {more}.</translation>
    </message>
    <message>
        <source>“{words}” must be true or false.</source>
        <translation>„{words}“ muss true oder false sein.</translation>
    </message>
    <message>
        <source>“{words}” must have two prices, US dollars a million tokens, none below 0.</source>
        <translation>„{words}“ braucht zwei Preise, in US-Dollar je Million Token, keinen unter 0.</translation>
    </message>
    <message>
        <source>“{words}” names a folder twice.</source>
        <translation>„{words}“ nennt einen Ordner zweimal.</translation>
    </message>
</context>
<context>
    <name>RecallBox</name>
    <message>
        <source>Nothing fits.</source>
        <translation>Nichts passt.</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>Abruf</translation>
    </message>
    <message>
        <source>Recall test</source>
        <translation>Abruf testen</translation>
    </message>
    <message>
        <source>Say what somebody might say</source>
        <translation>Schreiben Sie, was jemand sagen könnte</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search all memories</source>
        <translation>Alle Erinnerungen durchsuchen</translation>
    </message>
    <message>
        <source>What the box asks</source>
        <translation>Was das Feld fragt</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>Was gefunden wurde</translation>
    </message>
    <message>
        <source>What would be recalled</source>
        <translation>Was abgerufen würde</translation>
    </message>
    <message>
        <source>Words, or what it is about</source>
        <translation>Wörter, oder worum es geht</translation>
    </message>
    <message>
        <source>for the newest message · {how}</source>
        <translation>für die neueste Nachricht · {how}</translation>
    </message>
</context>
<context>
    <name>RecallList</name>
    <message>
        <source>What would be recalled</source>
        <translation>Was abgerufen würde</translation>
    </message>
    <message>
        <source>cut</source>
        <translation>Schnitt</translation>
    </message>
</context>
<context>
    <name>Refusals</name>
    <message>
        <source>Only Premium accounts may send this.</source>
        <translation>Nur Premium-Konten dürfen dies senden.</translation>
    </message>
    <message>
        <source>Only administrators may write in this chat.</source>
        <translation>In diesem Chat dürfen nur Administratoren schreiben.</translation>
    </message>
    <message>
        <source>Only the author can edit this message.</source>
        <translation>Nur der Verfasser kann diese Nachricht bearbeiten.</translation>
    </message>
    <message>
        <source>Telegram considers this message empty.</source>
        <translation>Telegram betrachtet diese Nachricht als leer.</translation>
    </message>
    <message>
        <source>Telegram doesn't allow this account to write in that chat.</source>
        <translation>Telegram lässt dieses Konto in dem Chat nicht schreiben.</translation>
    </message>
    <message>
        <source>Telegram has frozen this account: it can read, but not write. To appeal, write to @SpamBot in Telegram.</source>
        <translation>Telegram hat dieses Konto eingefroren: es kann lesen, aber nicht schreiben. Einspruch ist in Telegram bei @SpamBot möglich.</translation>
    </message>
    <message>
        <source>Telegram has restricted this chat.</source>
        <translation>Telegram hat diesen Chat eingeschränkt.</translation>
    </message>
    <message>
        <source>Telegram limits this account for now: it can't write to strangers.</source>
        <translation>Telegram begrenzt dieses Konto vorläufig: es darf Fremden nicht schreiben.</translation>
    </message>
    <message>
        <source>Telegram no longer has this sticker.</source>
        <translation>Telegram hat diesen Sticker nicht mehr.</translation>
    </message>
    <message>
        <source>Telegram refused it.</source>
        <translation>Telegram hat es abgelehnt.</translation>
    </message>
    <message>
        <source>Telegram refused: {code}.</source>
        <translation>Telegram hat abgelehnt: {code}.</translation>
    </message>
    <message>
        <source>The message is longer than Telegram allows; shorten it.</source>
        <translation>Die Nachricht ist länger, als Telegram erlaubt; bitte kürzen.</translation>
    </message>
    <message>
        <source>The message is too old to be changed.</source>
        <translation>Die Nachricht ist zu alt, um geändert zu werden.</translation>
    </message>
    <message>
        <source>The message it replies to no longer exists.</source>
        <translation>Die beantwortete Nachricht gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>The message no longer exists.</source>
        <translation>Die Nachricht gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>The partner has blocked this account.</source>
        <translation>Der Partner hat dieses Konto blockiert.</translation>
    </message>
    <message>
        <source>The partner has deleted the account.</source>
        <translation>Der Partner hat das Konto gelöscht.</translation>
    </message>
    <message>
        <source>The partner takes messages from strangers only for payment.</source>
        <translation>Der Partner nimmt Nachrichten von Fremden nur gegen Bezahlung an.</translation>
    </message>
    <message>
        <source>The partner takes messages only from contacts and Premium accounts.</source>
        <translation>Der Partner nimmt Nachrichten nur von Kontakten und Premium-Konten an.</translation>
    </message>
    <message>
        <source>This account doesn't know that chat, so it can't write there.</source>
        <translation>Dieses Konto kennt den Chat nicht und kann dort nicht schreiben.</translation>
    </message>
    <message>
        <source>This account has blocked the partner; unblock first.</source>
        <translation>Dieses Konto hat den Partner blockiert; bitte zuerst die Blockierung aufheben.</translation>
    </message>
    <message>
        <source>This account is banned from writing in this group.</source>
        <translation>Dieses Konto darf in dieser Gruppe nicht mehr schreiben.</translation>
    </message>
    <message>
        <source>This account is no longer in that chat.</source>
        <translation>Dieses Konto ist nicht mehr in jenem Chat.</translation>
    </message>
    <message>
        <source>This account may not delete that message for everyone.</source>
        <translation>Dieses Konto darf jene Nachricht nicht für alle löschen.</translation>
    </message>
    <message>
        <source>This account may not send stickers in this group.</source>
        <translation>Dieses Konto darf in dieser Gruppe keine Sticker senden.</translation>
    </message>
    <message>
        <source>This account may not write in this chat.</source>
        <translation>Dieses Konto darf in diesem Chat nicht schreiben.</translation>
    </message>
    <message>
        <source>This account may not write texts in this group.</source>
        <translation>Dieses Konto darf in dieser Gruppe keine Texte schreiben.</translation>
    </message>
    <message>
        <source>This can be done in a chat with one person only.</source>
        <translation>Das geht nur in einem Chat mit einer einzelnen Person.</translation>
    </message>
    <message>
        <source>This text can't be sent through Telegram.</source>
        <translation>Dieser Text kann nicht über Telegram gesendet werden.</translation>
    </message>
</context>
<context>
    <name>Regenerations</name>
    <message>
        <source>No other version of the plan for {who}: {why}</source>
        <translation>Keine andere Version des Plans für {who}: {why}</translation>
    </message>
</context>
<context>
    <name>RehearsalPane</name>
    <message numerus="yes">
        <source>%n active fault(s)</source>
        <translation>
            <numerusform>%n aktive Störung</numerusform>
            <numerusform>%n aktive Störungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Active</source>
        <translation>Aktiv</translation>
    </message>
    <message>
        <source>Close the window and start chimein sandbox again.</source>
        <translation>Bitte das Fenster schließen und chimein sandbox erneut starten.</translation>
    </message>
    <message>
        <source>Faults</source>
        <translation>Störungen</translation>
    </message>
    <message>
        <source>Loading the scenarios…</source>
        <translation>Szenarien werden geladen …</translation>
    </message>
    <message>
        <source>Pages of the rehearsal</source>
        <translation>Seiten der Probe</translation>
    </message>
    <message>
        <source>Phone</source>
        <translation>Telefon</translation>
    </message>
    <message>
        <source>Scenarios</source>
        <translation>Szenarien</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Startet …</translation>
    </message>
    <message>
        <source>The sandbox has stopped</source>
        <translation>Die Sandbox wurde beendet</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>Schreiben</translation>
    </message>
</context>
<context>
    <name>Repairs</name>
    <message>
        <source>Add “{words}”</source>
        <translation>„{words}“ hinzufügen</translation>
    </message>
    <message>
        <source>Create the file</source>
        <translation>Datei anlegen</translation>
    </message>
    <message>
        <source>Join with the first one</source>
        <translation>Mit dem ersten zusammenführen</translation>
    </message>
    <message>
        <source>Remove the NUL bytes</source>
        <translation>NUL-Bytes entfernen</translation>
    </message>
    <message>
        <source>Remove the line</source>
        <translation>Zeile entfernen</translation>
    </message>
    <message>
        <source>Remove the second one</source>
        <translation>Das zweite entfernen</translation>
    </message>
    <message>
        <source>Use {words}</source>
        <translation>{words} verwenden</translation>
    </message>
    <message>
        <source>Write “# {words}”</source>
        <translation>„# {words}“ schreiben</translation>
    </message>
</context>
<context>
    <name>Replies</name>
    <message>
        <source>Telegram did not answer</source>
        <translation>Telegram hat nicht geantwortet</translation>
    </message>
    <message>
        <source>a message of {number} characters was cut</source>
        <translation>eine Nachricht von {number} Zeichen wurde gekürzt</translation>
    </message>
    <message>
        <source>a «retrieve» needs at least one http(s) address on a line of its own</source>
        <translation>ein «retrieve» braucht mindestens eine http(s)-Adresse auf einer eigenen Zeile</translation>
    </message>
    <message>
        <source>a «sticker» needs two lines: the set and the name</source>
        <translation>ein «sticker» braucht zwei Zeilen: das Set und den Namen</translation>
    </message>
    <message>
        <source>a «wait» needs a line such as “delay: 5”</source>
        <translation>ein «wait» braucht eine Zeile wie „delay: 5“</translation>
    </message>
    <message>
        <source>history incomplete: older messages were still being fetched when this plan was made</source>
        <translation>Verlauf unvollständig: ältere Nachrichten wurden noch geladen, als dieser Plan entstand</translation>
    </message>
    <message>
        <source>line {n}: {what}</source>
        <translation>Zeile {n}: {what}</translation>
    </message>
    <message>
        <source>the account was not connected to look up the sticker {0} of {1}; it goes as text</source>
        <translation>das Konto war nicht verbunden, um den Sticker {0} aus {1} nachzuschlagen; er wird als Text gesendet</translation>
    </message>
    <message>
        <source>the model asked for web pages, which it cannot look up</source>
        <translation>das Modell hat Webseiten verlangt, die es nicht nachschlagen kann</translation>
    </message>
    <message numerus="yes">
        <source>the plan has %n step(s) more than {0}, which were left out</source>
        <translation>
            <numerusform>der Plan hat %n Schritt mehr als {0}; er wurde weggelassen</numerusform>
            <numerusform>der Plan hat %n Schritte mehr als {0}; sie wurden weggelassen</numerusform>
        </translation>
    </message>
    <message>
        <source>the reply was cut off in this «remember»; it was left out</source>
        <translation>die Antwort wurde in diesem «remember» abgeschnitten; es wurde weggelassen</translation>
    </message>
    <message>
        <source>the sticker {0} of {1} could not be looked up ({2}); it goes as text</source>
        <translation>der Sticker {0} aus {1} konnte nicht nachgeschlagen werden ({2}); er wird als Text gesendet</translation>
    </message>
    <message>
        <source>the sticker {0} of {1} is not known; it goes as text</source>
        <translation>der Sticker {0} aus {1} ist nicht bekannt; er wird als Text gesendet</translation>
    </message>
    <message>
        <source>there is no message {number} in this chat; sent without a reply</source>
        <translation>es gibt keine Nachricht {number} in diesem Chat; ohne Bezug gesendet</translation>
    </message>
    <message>
        <source>this line is no part of a «{0}», so it was left out</source>
        <translation>diese Zeile gehört nicht in ein «{0}» und wurde weggelassen</translation>
    </message>
    <message>
        <source>«{0}» is for direct messages only and was left out</source>
        <translation>«{0}» gilt nur in Direktnachrichten und wurde weggelassen</translation>
    </message>
    <message>
        <source>«{0}» is not a type of block</source>
        <translation>«{0}» ist keine Art von Block</translation>
    </message>
    <message>
        <source>«{0}» is not available yet and was left out</source>
        <translation>«{0}» ist noch nicht verfügbar und wurde weggelassen</translation>
    </message>
    <message>
        <source>“{0}” behind «{1}» is not a message number</source>
        <translation>„{0}“ hinter «{1}» ist keine Nachrichtennummer</translation>
    </message>
</context>
<context>
    <name>ReplyTab</name>
    <message>
        <source>Became these tasks</source>
        <translation>Wurde zu diesen Schritten</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>It brought no plan</source>
        <translation>Daraus wurde kein Plan</translation>
    </message>
    <message>
        <source>No text</source>
        <translation>Kein Text</translation>
    </message>
    <message>
        <source>Open task graph</source>
        <translation>Plan öffnen</translation>
    </message>
    <message>
        <source>Parts of the reply</source>
        <translation>Teile der Antwort</translation>
    </message>
    <message>
        <source>Raw reply</source>
        <translation>Rohe Antwort</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>The reply brought no tasks.</source>
        <translation>Die Antwort brachte keine Schritte.</translation>
    </message>
    <message>
        <source>There is no text</source>
        <translation>Es gibt keinen Text</translation>
    </message>
    <message>
        <source>Without a reply there are no tasks.</source>
        <translation>Ohne Antwort gibt es keine Schritte.</translation>
    </message>
</context>
<context>
    <name>RequestTab</name>
    <message>
        <source>Copy as curl, without the key</source>
        <translation>Als curl kopieren, ohne Schlüssel</translation>
    </message>
    <message>
        <source>Open the exact request</source>
        <translation>Genaue Anfrage öffnen</translation>
    </message>
</context>
<context>
    <name>ReviewPage</name>
    <message numerus="yes">
        <source>%n decided today</source>
        <translation>
            <numerusform>%n heute entschieden</numerusform>
            <numerusform>%n heute entschieden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n to review</source>
        <translation>
            <numerusform>%n zu prüfen</numerusform>
            <numerusform>%n zu prüfen</numerusform>
        </translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>Annehmen</translation>
    </message>
    <message>
        <source>Accept all new</source>
        <translation>Alle neuen annehmen</translation>
    </message>
    <message>
        <source>Accept the edited text</source>
        <translation>Bearbeiteten Text annehmen</translation>
    </message>
    <message>
        <source>Chats are read when they have come to rest. Nothing is remembered before you accept it.</source>
        <translation>Chats werden gelesen, wenn sie zur Ruhe gekommen sind. Nichts wird gemerkt, bevor Sie es annehmen.</translation>
    </message>
    <message>
        <source>Decided today</source>
        <translation>Heute entschieden</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Keep both</source>
        <translation>Beide behalten</translation>
    </message>
    <message>
        <source>Look now</source>
        <translation>Jetzt nachsehen</translation>
    </message>
    <message>
        <source>Looking …</source>
        <translation>Sieht nach …</translation>
    </message>
    <message>
        <source>Memories that are proposed wait here. Nothing is remembered before you accept it.</source>
        <translation>Vorgeschlagene Erinnerungen warten hier. Nichts wird gemerkt, bevor Sie es annehmen.</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>Vereinen</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Bewegen</translation>
    </message>
    <message>
        <source>Never about this person</source>
        <translation>Nie über diese Person</translation>
    </message>
    <message>
        <source>Never from this chat</source>
        <translation>Nie aus diesem Chat</translation>
    </message>
    <message>
        <source>Nothing to review</source>
        <translation>Nichts zu prüfen</translation>
    </message>
    <message>
        <source>Propose memories</source>
        <translation>Erinnerungen vorschlagen</translation>
    </message>
    <message>
        <source>Proposed memories</source>
        <translation>Vorgeschlagene Erinnerungen</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>oldest {age}</source>
        <translation>älteste {age}</translation>
    </message>
</context>
<context>
    <name>RoleList</name>
    <message>
        <source>Alt and an arrow key moves a row, Delete removes it, Return opens it</source>
        <translation>Alt und eine Pfeiltaste verschiebt eine Zeile, Entf entfernt sie, Eingabe öffnet sie</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
</context>
<context>
    <name>RowDelegate</name>
    <message>
        <source>Planning again</source>
        <translation>Wird neu geplant</translation>
    </message>
    <message>
        <source>You are editing</source>
        <translation>Sie bearbeiten gerade</translation>
    </message>
</context>
<context>
    <name>RuleCard</name>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove: {what}</source>
        <translation>Entfernen: {what}</translation>
    </message>
</context>
<context>
    <name>Rules</name>
    <message>
        <source>No simulated faults are active.</source>
        <translation>Keine simulierten Störungen aktiv.</translation>
    </message>
    <message numerus="yes">
        <source>and %n more; “Remove all” removes them too</source>
        <translation>
            <numerusform>und %n weitere, die „Alle entfernen“ auch entfernt</numerusform>
            <numerusform>und %n weitere, die „Alle entfernen“ auch entfernt</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunBar</name>
    <message>
        <source>A run is under way</source>
        <translation>Ein Probelauf ist im Gange</translation>
    </message>
    <message>
        <source>Asking the model…</source>
        <translation>Das Modell wird gefragt …</translation>
    </message>
    <message>
        <source>Choose a stored call above: what would be sent now was never sent</source>
        <translation>Wählen Sie oben einen gespeicherten Aufruf: Was jetzt gesendet würde, wurde noch nie gesendet</translation>
    </message>
    <message>
        <source>Dry runs today: {cost}, in today’s costs</source>
        <translation>Probeläufe heute: {cost}, in den heutigen Kosten enthalten</translation>
    </message>
    <message>
        <source>Exact bytes again</source>
        <translation>Genau diese Bytes noch einmal</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Never saved to the agent</source>
        <translation>Wird nie im Agenten gespeichert</translation>
    </message>
    <message>
        <source>Offer the tools; a call is named, not run</source>
        <translation>Werkzeuge anbieten; ein Aufruf wird genannt, nicht ausgeführt</translation>
    </message>
    <message>
        <source>Run dry</source>
        <translation>Probelauf</translation>
    </message>
    <message>
        <source>Run with</source>
        <translation>Ausführen mit</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>The prompt is being built</source>
        <translation>Der Prompt wird zusammengesetzt</translation>
    </message>
    <message>
        <source>about {cost} before the reply</source>
        <translation>etwa {cost} vor der Antwort</translation>
    </message>
    <message>
        <source>default</source>
        <translation>Standard</translation>
    </message>
</context>
<context>
    <name>RunResult</name>
    <message>
        <source>A dry run looks nothing up: run it without tools for an answer.</source>
        <translation>Ein Probelauf schlägt nichts nach: Führen Sie ihn für eine Antwort ohne Werkzeuge aus.</translation>
    </message>
    <message>
        <source>Against the real draft</source>
        <translation>Gegenüber dem echten Entwurf</translation>
    </message>
    <message>
        <source>Copy the raw reply</source>
        <translation>Rohantwort kopieren</translation>
    </message>
    <message>
        <source>Dry run result</source>
        <translation>Ergebnis des Probelaufs</translation>
    </message>
    <message>
        <source>Exact bytes</source>
        <translation>Genaue Bytes</translation>
    </message>
    <message>
        <source>No run yet. Change a text, and run dry.</source>
        <translation>Noch kein Probelauf. Ändern Sie einen Text und starten Sie einen Probelauf.</translation>
    </message>
    <message numerus="yes">
        <source>Parsed: %n step(s), none of which is done</source>
        <translation>
            <numerusform>Gelesen: %n Schritt, der nicht ausgeführt wird</numerusform>
            <numerusform>Gelesen: %n Schritte, von denen keiner ausgeführt wird</numerusform>
        </translation>
    </message>
    <message>
        <source>Raw reply</source>
        <translation>Rohantwort</translation>
    </message>
    <message numerus="yes">
        <source>Rebuilt, %n edit(s)</source>
        <translation>
            <numerusform>Neu zusammengesetzt, %n Änderung</numerusform>
            <numerusform>Neu zusammengesetzt, %n Änderungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Regenerate with this…</source>
        <translation>Damit neu erzeugen …</translation>
    </message>
    <message>
        <source>Run {n}</source>
        <translation>Lauf {n}</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>block</source>
        <translation>blockieren</translation>
    </message>
    <message>
        <source>cannot send</source>
        <translation>kann nicht senden</translation>
    </message>
    <message>
        <source>clear the conversation</source>
        <translation>Unterhaltung leeren</translation>
    </message>
    <message>
        <source>price unknown</source>
        <translation>Preis unbekannt</translation>
    </message>
    <message>
        <source>remember: not written</source>
        <translation>merken: nicht geschrieben</translation>
    </message>
    <message>
        <source>retrieve: not fetched</source>
        <translation>abrufen: nicht abgerufen</translation>
    </message>
    <message>
        <source>send</source>
        <translation>senden</translation>
    </message>
    <message>
        <source>send, in reply to {n}</source>
        <translation>senden, als Antwort auf {n}</translation>
    </message>
    <message>
        <source>shut down</source>
        <translation>abschalten</translation>
    </message>
    <message>
        <source>sticker</source>
        <translation>Sticker</translation>
    </message>
    <message>
        <source>unblock</source>
        <translation>Blockierung aufheben</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>warten</translation>
    </message>
    <message>
        <source>wants the tool {name}</source>
        <translation>will das Werkzeug {name}</translation>
    </message>
    <message>
        <source>{n} in</source>
        <translation>{n} ein</translation>
    </message>
    <message>
        <source>{n} out</source>
        <translation>{n} aus</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} s</translation>
    </message>
</context>
<context>
    <name>SafetyStep</name>
    <message>
        <source>Anyone who can read the data folder can read the chats and use the accounts.</source>
        <translation>Wer den Datenordner lesen kann, kann die Chats lesen und die Konten benutzen.</translation>
    </message>
    <message>
        <source>Chats and logins are stored unencrypted on this computer</source>
        <translation>Chats und Anmeldungen sind unverschlüsselt auf diesem Computer gespeichert</translation>
    </message>
    <message>
        <source>Chimein does not do it for you, and the law may require it.</source>
        <translation>Chimein tut es nicht für Sie, und das Gesetz kann es verlangen.</translation>
    </message>
    <message>
        <source>It watches accounts used with unofficial programs. Use one you can afford to lose.</source>
        <translation>Es beobachtet Konten, die inoffizielle Programme nutzen. Bitte eines verwenden, dessen Verlust Sie verschmerzen.</translation>
    </message>
    <message>
        <source>Its instructions, and the chat's messages with their senders' names.</source>
        <translation>Ihre Anweisungen und die Nachrichten des Chats mit den Namen der Absender.</translation>
    </message>
    <message>
        <source>Nothing is sent before you approve it, unless you choose countdown or auto for a chat.</source>
        <translation>Nichts wird vor Ihrer Freigabe gesendet, außer Sie wählen für einen Chat „Countdown“ oder „Automatik“.</translation>
    </message>
    <message>
        <source>Read all of it…</source>
        <translation>Alles lesen …</translation>
    </message>
    <message>
        <source>Telegram can limit, freeze or close the account</source>
        <translation>Telegram kann das Konto begrenzen, einfrieren oder schließen</translation>
    </message>
    <message>
        <source>Tell people that a program writes for you</source>
        <translation>Sagen Sie den Leuten, dass ein Programm für Sie schreibt</translation>
    </message>
    <message>
        <source>What a persona reads is sent to Google</source>
        <translation>Was eine Persona liest, geht an Google</translation>
    </message>
    <message>
        <source>You are responsible for every message</source>
        <translation>Sie sind für jede Nachricht verantwortlich</translation>
    </message>
</context>
<context>
    <name>SandboxChips</name>
    <message numerus="yes">
        <source>%n active fault(s)</source>
        <translation>
            <numerusform>%n aktive Störung</numerusform>
            <numerusform>%n aktive Störungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n wait(s) for you</source>
        <translation>
            <numerusform>%n wartet auf Sie</numerusform>
            <numerusform>%n warten auf Sie</numerusform>
        </translation>
    </message>
    <message>
        <source>Accounts and people are simulated. The model is real: its answers cost money.</source>
        <translation>Konten und Menschen sind simuliert. Das Modell ist echt: seine Antworten kosten Geld.</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Nothing here is real.</source>
        <translation>Nichts hier ist echt.</translation>
    </message>
    <message>
        <source>Paused: {title}, {of}</source>
        <translation>Pausiert: {title}, {of}</translation>
    </message>
    <message>
        <source>Play a scenario (Ctrl+Shift+P)</source>
        <translation>Szenario abspielen (Strg+Umschalt+P)</translation>
    </message>
    <message>
        <source>Press to play a scenario.</source>
        <translation>Drücken, um ein Szenario abzuspielen.</translation>
    </message>
    <message>
        <source>Rehearsing: {title}, {of}</source>
        <translation>Probe: {title}, {of}</translation>
    </message>
    <message>
        <source>Sandbox</source>
        <translation>Sandbox</translation>
    </message>
    <message>
        <source>Sandbox · real model</source>
        <translation>Sandbox · echtes Modell</translation>
    </message>
    <message>
        <source>Stopped early</source>
        <translation>Vorzeitig gestoppt</translation>
    </message>
    <message>
        <source>answers cost money</source>
        <translation>Antworten kosten Geld</translation>
    </message>
    <message>
        <source>nothing here is real</source>
        <translation>nichts hier ist echt</translation>
    </message>
    <message>
        <source>nothing to approve</source>
        <translation>nichts freizugeben</translation>
    </message>
    <message>
        <source>{title} finished</source>
        <translation>{title} beendet</translation>
    </message>
    <message>
        <source>{title} stopped early</source>
        <translation>{title} vorzeitig gestoppt</translation>
    </message>
</context>
<context>
    <name>SandboxOut</name>
    <message>
        <source>No key at hand?</source>
        <translation>Kein Schlüssel zur Hand?</translation>
    </message>
    <message>
        <source>Start the sandbox</source>
        <translation>Sandbox starten</translation>
    </message>
    <message>
        <source>The sandbox runs on this computer: no account, no key, no internet.</source>
        <translation>Die Sandbox läuft auf diesem Computer: kein Konto, kein Schlüssel, kein Internet.</translation>
    </message>
</context>
<context>
    <name>SandboxRefusals</name>
    <message>
        <source>A Telegram error code is 300 to 599, not {0}.</source>
        <translation>Ein Fehlercode von Telegram liegt zwischen 300 und 599, nicht bei {0}.</translation>
    </message>
    <message>
        <source>A Telegram error looks like PEER_FLOOD, not “{0}”.</source>
        <translation>Ein Telegram-Fehler sieht aus wie PEER_FLOOD, nicht „{0}“.</translation>
    </message>
    <message>
        <source>A fault is triggered 1 to {0} times, or with 0 until it is removed, not {1} times.</source>
        <translation>Eine Störung wird 1- bis {0}-mal ausgelöst, oder mit 0, bis sie entfernt wird, nicht {1}-mal.</translation>
    </message>
    <message>
        <source>A finish reason looks like OTHER, not “{0}”.</source>
        <translation>Ein Beendigungsgrund sieht aus wie OTHER, nicht „{0}“.</translation>
    </message>
    <message>
        <source>A message has at most {0} characters, this one has {1}.</source>
        <translation>Eine Nachricht hat höchstens {0} Zeichen, diese hat {1}.</translation>
    </message>
    <message>
        <source>A speed is between {0} and {1}, not {2}.</source>
        <translation>Das Tempo liegt zwischen {0} und {1}, nicht bei {2}.</translation>
    </message>
    <message>
        <source>An HTTP error is 400 to 599, not {0}.</source>
        <translation>Ein HTTP-Fehler liegt zwischen 400 und 599, nicht bei {0}.</translation>
    </message>
    <message>
        <source>Model faults have no account. Leave it empty.</source>
        <translation>Störungen des Modells haben kein Konto. Lassen Sie das Feld leer.</translation>
    </message>
    <message>
        <source>No login shows this QR code.</source>
        <translation>Keine Anmeldung zeigt diesen QR-Code.</translation>
    </message>
    <message>
        <source>Nobody has the number {0}.</source>
        <translation>Die Nummer {0} hat niemand.</translation>
    </message>
    <message>
        <source>Seconds must be a number, not {0}.</source>
        <translation>Sekunden müssen eine Zahl sein, nicht {0}.</translation>
    </message>
    <message>
        <source>Seconds of {0} must be {1} to {2}, not {3}.</source>
        <translation>Die Sekunden von {0} liegen zwischen {1} und {2}, nicht bei {3}.</translation>
    </message>
    <message>
        <source>The chance must be above 0 and at most 1, not {0}.</source>
        <translation>Die Wahrscheinlichkeit muss über 0 und höchstens bei 1 liegen, nicht bei {0}.</translation>
    </message>
    <message>
        <source>The message has an incomplete character, which can't be sent.</source>
        <translation>Die Nachricht enthält ein unvollständiges Zeichen, das sich nicht senden lässt.</translation>
    </message>
    <message>
        <source>The message is empty.</source>
        <translation>Die Nachricht ist leer.</translation>
    </message>
    <message>
        <source>The sandbox does not have this any more: “{0}”</source>
        <translation>Das gibt es in der Sandbox nicht mehr: „{0}“</translation>
    </message>
    <message>
        <source>The sandbox refused this: “{0}”</source>
        <translation>Die Sandbox hat das abgelehnt: „{0}“</translation>
    </message>
    <message>
        <source>The token in this QR code is incomplete.</source>
        <translation>Das Token in diesem QR-Code ist unvollständig.</translation>
    </message>
    <message>
        <source>The wait must be whole seconds, not {0}.</source>
        <translation>Die Wartezeit muss aus ganzen Sekunden bestehen, nicht {0}.</translation>
    </message>
    <message>
        <source>There is no call “{0}”.</source>
        <translation>Einen Aufruf „{0}“ gibt es nicht.</translation>
    </message>
    <message>
        <source>There is no call “{0}”. Do you mean “{1}”?</source>
        <translation>Einen Aufruf „{0}“ gibt es nicht. Meinen Sie „{1}“?</translation>
    </message>
    <message>
        <source>This QR code has already been scanned.</source>
        <translation>Dieser QR-Code wurde schon gescannt.</translation>
    </message>
    <message>
        <source>This QR code has expired. A new one is shown.</source>
        <translation>Dieser QR-Code ist abgelaufen. Inzwischen wird ein neuer gezeigt.</translation>
    </message>
    <message>
        <source>This is not a QR code for a login: it must begin with tg://login?token=.</source>
        <translation>Das ist kein QR-Code einer Anmeldung: Er muss mit tg://login?token= beginnen.</translation>
    </message>
    <message>
        <source>This person is not in the group “{0}”.</source>
        <translation>Diese Person ist nicht in der Gruppe „{0}“.</translation>
    </message>
    <message>
        <source>{0} affects one account. Choose it.</source>
        <translation>{0} betrifft ein Konto. Wählen Sie es.</translation>
    </message>
    <message>
        <source>{0} has no call. Leave it empty.</source>
        <translation>{0} hat keinen Aufruf. Lassen Sie das Feld leer.</translation>
    </message>
</context>
<context>
    <name>ScenarioList</name>
    <message>
        <source>Scenarios</source>
        <translation>Szenarien</translation>
    </message>
</context>
<context>
    <name>ScenarioListModel</name>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n Schritt</numerusform>
            <numerusform>%n Schritte</numerusform>
        </translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Paused, {of}</source>
        <translation>Pausiert, {of}</translation>
    </message>
    <message>
        <source>Playing, {of}</source>
        <translation>Läuft, {of}</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>Stopped early</source>
        <translation>Vorzeitig gestoppt</translation>
    </message>
    <message>
        <source>{done} of {all}</source>
        <translation>{done} von {all}</translation>
    </message>
</context>
<context>
    <name>ScenarioPicker</name>
    <message>
        <source>Open the Rehearsal pane</source>
        <translation>Bereich „Probe“ öffnen</translation>
    </message>
    <message>
        <source>Play a scenario</source>
        <translation>Szenario abspielen</translation>
    </message>
    <message>
        <source>Rehearsal</source>
        <translation>Probe</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>The sandbox has stopped.</source>
        <translation>Die Sandbox wurde beendet.</translation>
    </message>
    <message>
        <source>This sandbox has no scenarios.</source>
        <translation>Diese Sandbox hat keine Szenarien.</translation>
    </message>
    <message>
        <source>with simulated people</source>
        <translation>mit simulierten Menschen</translation>
    </message>
</context>
<context>
    <name>Scenarios</name>
    <message>
        <source>Busy Friday</source>
        <translation>Voller Freitag</translation>
    </message>
    <message>
        <source>First evening</source>
        <translation>Der erste Abend</translation>
    </message>
    <message>
        <source>Five accounts at once</source>
        <translation>Fünf Konten auf einmal</translation>
    </message>
    <message>
        <source>Flood wait</source>
        <translation>Flood-Wartezeit</translation>
    </message>
    <message>
        <source>For any persona, also one of your own: two friends write to it in its language, one of them asks what answers here. Watch whether the drafts sound like your persona.</source>
        <translation>Für jede Persona, auch für eigene: Zwei Bekannte schreiben ihr in ihrer Sprache, und eine fragt, wer hier antwortet. Achten Sie darauf, ob die Entwürfe nach Ihrer Persona klingen.</translation>
    </message>
    <message>
        <source>Grumpy day</source>
        <translation>Schlechte Laune</translation>
    </message>
    <message>
        <source>Hostile stranger</source>
        <translation>Feindseliger Fremder</translation>
    </message>
    <message>
        <source>Long absence</source>
        <translation>Lange Abwesenheit</translation>
    </message>
    <message>
        <source>Look it up</source>
        <translation>Etwas nachschlagen</translation>
    </message>
    <message>
        <source>Marta and Tiago tell Nora what she should remember, in plain words and with /remember. See what is stored below their messages, what is answered without the model, and that it stands in nobody else's prompt.</source>
        <translation>Marta und Tiago sagen Nora, was sie sich merken soll, in eigenen Worten und mit /remember. Unter ihren Nachrichten steht, was gespeichert wurde; manches wird ohne das Modell beantwortet, und in keinem anderen Prompt steht etwas davon.</translation>
    </message>
    <message>
        <source>Marta asks Rim for the last boat and for the result of a race. Rim reads pages of the sandbox's web before she answers; one of them gives orders, which change nothing. The Traces pane shows every page.</source>
        <translation>Marta fragt Rim nach dem letzten Boot und nach dem Ergebnis eines Rennens. Rim liest Seiten des Sandbox-Webs, bevor sie antwortet; eine davon gibt Befehle, die nichts ändern. Der Bereich Abläufe zeigt jede Seite.</translation>
    </message>
    <message>
        <source>Marta asks Rim for things that the sandbox's web does not give away: a list that programs may not read, a page that never answers, a film that is far too large. Then for pages in other scripts. The Traces pane says what became of each.</source>
        <translation>Marta fragt Rim nach Dingen, die das Netz der Sandbox nicht hergibt: einer Liste, die Programme nicht lesen dürfen, einer Seite, die nie antwortet, einem viel zu großen Film. Dann nach Seiten in anderen Schriften. Der Bereich Abläufe sagt, was aus jeder wurde.</translation>
    </message>
    <message>
        <source>Model trouble</source>
        <translation>Ärger mit dem Modell</translation>
    </message>
    <message>
        <source>Night shift: the server restarts</source>
        <translation>Nachtschicht: Der Server startet neu</translation>
    </message>
    <message>
        <source>Nora has slept badly, and her friends are in the best of moods. See whether the drafts are short, whether they stay kind, and whether you would send them.</source>
        <translation>Nora hat schlecht geschlafen, und ihre Freunde sind bester Laune. Sehen Sie, ob die Entwürfe kurz sind, ob sie freundlich bleiben und ob Sie sie senden würden.</translation>
    </message>
    <message>
        <source>Nora, Otto, Rim, Sora and Yada are written to in the same second, in five languages. Five plans are made side by side; the approvals show which is whose.</source>
        <translation>Nora, Otto, Rim, Sora und Yada bekommen in derselben Sekunde Nachrichten, in fünf Sprachen. Fünf Pläne entstehen nebeneinander; die Freigaben zeigen, welcher wem gehört.</translation>
    </message>
    <message>
        <source>Pages that fail</source>
        <translation>Seiten, die nicht kommen</translation>
    </message>
    <message>
        <source>Partners keep writing while the model is overloaded, out of quota, blocked, empty, out of tokens, cut off and incomprehensible. Every chat says what it waits for, and a draft comes in the end.</source>
        <translation>Die Partner schreiben weiter, während das Modell überlastet ist, sein Kontingent oder seine Tokens aufgebraucht hat, blockiert wird, nichts sagt, abbricht und unverständlich antwortet. Jeder Chat sagt, worauf er wartet, und am Ende kommt ein Entwurf.</translation>
    </message>
    <message>
        <source>Somebody whose very name is a trick writes to Nora: insults, begging for secrets, orders to the model, our own reply grammar, forged headers, text that runs backwards and letters with far too many accents. Nothing of it may do anything.</source>
        <translation>Jemand, dessen Name schon ein Trick ist, schreibt an Nora: Beleidigungen, Betteln um Geheimnisse, Befehle an das Modell, unsere eigene Antwortgrammatik, gefälschte Kopfzeilen, rückwärts laufender Text und Buchstaben mit viel zu vielen Akzenten. Nichts davon darf etwas bewirken.</translation>
    </message>
    <message>
        <source>Sora bakes, Oskar rides, and Telegram is being repaired: it goes away twice, cuts lines, loses an update, sends one twice and forgets to answer. In the morning nobody has missed a word and nothing was sent twice.</source>
        <translation>Sora backt, Oskar fährt, und Telegram wird repariert: Es ist zweimal weg, trennt Leitungen, verliert eine Aktualisierung, sendet eine doppelt und vergisst zu antworten. Am Morgen hat niemand ein Wort verpasst, und nichts wurde doppelt gesendet.</translation>
    </message>
    <message>
        <source>Telegram makes Nora wait: her next send is refused for half a minute, and a moment later every account is told the same. Approve the drafts and watch the countdowns; nothing is lost and nothing is sent twice.</source>
        <translation>Telegram lässt Nora warten: Ihr nächstes Senden wird eine halbe Minute lang abgelehnt, und kurz darauf geht es allen Konten so. Geben Sie die Entwürfe frei, und beobachten Sie die Countdowns; nichts geht verloren, und nichts wird doppelt gesendet.</translation>
    </message>
    <message>
        <source>The boathouse plans its Saturday: keys, cake, a film and a lost snail, all at once, and Nora is called in the middle of it. Meanwhile three people write to her directly. Watch what belongs together and what can wait.</source>
        <translation>Das Bootshaus plant seinen Samstag: Schlüssel, Kuchen, ein Film und eine verlorene Schnecke, alles auf einmal, und mittendrin wird Nora gerufen. Unterdessen schreiben drei Personen ihr direkt. Achten Sie darauf, was zusammengehört und was warten kann.</translation>
    </message>
    <message>
        <source>The connection to Telegram is gone for most of a minute while everybody in the boathouse writes at once. When it comes back, Nora and Rim only learn that they missed too much, and must look for themselves.</source>
        <translation>Die Verbindung zu Telegram ist fast eine Minute lang weg, während im Bootshaus alle auf einmal schreiben. Danach erfahren Nora und Rim nur, dass sie zu viel verpasst haben, und müssen selbst nachsehen.</translation>
    </message>
    <message>
        <source>Things to remember</source>
        <translation>Was man sich merken soll</translation>
    </message>
</context>
<context>
    <name>ScenariosPage</name>
    <message>
        <source>No scenario is chosen</source>
        <translation>Kein Szenario gewählt</translation>
    </message>
    <message>
        <source>Nothing to play</source>
        <translation>Nichts abzuspielen</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Play {title}</source>
        <translation>{title} abspielen</translation>
    </message>
    <message>
        <source>Same seed, same rehearsal</source>
        <translation>Gleicher Startwert, gleiche Probe</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>Von vorn</translation>
    </message>
    <message>
        <source>This sandbox has no scenarios.</source>
        <translation>Diese Sandbox hat keine Szenarien.</translation>
    </message>
</context>
<context>
    <name>SceneFaults</name>
    <message>
        <source>An internal error occurred. Details are in the log.</source>
        <translation>Ein interner Fehler ist aufgetreten. Einzelheiten stehen im Protokoll.</translation>
    </message>
    <message>
        <source>Every entry of “{0}” must have keys.</source>
        <translation>Jeder Eintrag von „{0}“ muss Schlüssel haben.</translation>
    </message>
    <message>
        <source>In a group, “answer” must say who answers.</source>
        <translation>In einer Gruppe muss „answer“ sagen, wer antwortet.</translation>
    </message>
    <message>
        <source>Lines that repeat forever must take time. Add “after”.</source>
        <translation>Zeilen, die sich endlos wiederholen, müssen Zeit brauchen. Ergänzen Sie „after“.</translation>
    </message>
    <message>
        <source>No fault above has the label “{0}”.</source>
        <translation>Keine Störung darüber hat das Label „{0}“.</translation>
    </message>
    <message>
        <source>No message above has the label “{0}”.</source>
        <translation>Keine Nachricht darüber hat das Label „{0}“.</translation>
    </message>
    <message>
        <source>The cast is empty.</source>
        <translation>Die Besetzung ist leer.</translation>
    </message>
    <message>
        <source>The file can't be read: {0}</source>
        <translation>Die Datei lässt sich nicht lesen: {0}</translation>
    </message>
    <message>
        <source>The file needs these keys: {0}</source>
        <translation>Die Datei braucht diese Schlüssel: {0}</translation>
    </message>
    <message>
        <source>The key “{0}” is not text. Put it in quotes.</source>
        <translation>Der Schlüssel „{0}“ ist kein Text. Setzen Sie ihn in Anführungszeichen.</translation>
    </message>
    <message>
        <source>The message “{0}” has not been sent yet.</source>
        <translation>Die Nachricht „{0}“ wurde noch nicht gesendet.</translation>
    </message>
    <message>
        <source>The message “{0}” was deleted.</source>
        <translation>Die Nachricht „{0}“ wurde gelöscht.</translation>
    </message>
    <message>
        <source>The sandbox refused this line: “{0}”</source>
        <translation>Die Sandbox hat diese Zeile abgelehnt: „{0}“</translation>
    </message>
    <message>
        <source>There is no fault “{0}”. Known: {1}</source>
        <translation>Die Störung „{0}“ gibt es nicht. Bekannt sind: {1}</translation>
    </message>
    <message>
        <source>There is no file or sticker “{0}”.</source>
        <translation>Es gibt keine Datei und keinen Sticker „{0}“.</translation>
    </message>
    <message>
        <source>There is no text in {0}.</source>
        <translation>Es gibt keinen Text für: {0}.</translation>
    </message>
    <message>
        <source>There is nobody called “{0}” in the sandbox.</source>
        <translation>In der Sandbox gibt es niemanden namens „{0}“.</translation>
    </message>
    <message>
        <source>This is not valid YAML: {0}</source>
        <translation>Das ist kein gültiges YAML: {0}</translation>
    </message>
    <message>
        <source>This line does nothing. It needs one of {0}.</source>
        <translation>Diese Zeile tut nichts. Sie braucht eines von {0}.</translation>
    </message>
    <message>
        <source>Unknown key “{0}”. Known here: {1}</source>
        <translation>Unbekannter Schlüssel „{0}“. Hier möglich: {1}</translation>
    </message>
    <message>
        <source>{file}, line {line}: {what}</source>
        <translation>{file}, Zeile {line}: {what}</translation>
    </message>
    <message>
        <source>“crowd” needs at least one subject.</source>
        <translation>„crowd“ braucht mindestens ein Thema.</translation>
    </message>
    <message>
        <source>“every” must be more than 0.</source>
        <translation>„every“ muss größer als 0 sein.</translation>
    </message>
    <message>
        <source>“say” is longer than a message can be ({0} characters).</source>
        <translation>„say“ ist länger, als eine Nachricht sein darf ({0} Zeichen).</translation>
    </message>
    <message>
        <source>“{0}” affects one account. Name it with “account”.</source>
        <translation>„{0}“ betrifft ein Konto. Nennen Sie es mit „account“.</translation>
    </message>
    <message>
        <source>“{0}” did not receive the message “{1}”.</source>
        <translation>„{0}“ hat die Nachricht „{1}“ nicht bekommen.</translation>
    </message>
    <message>
        <source>“{0}” is missing.</source>
        <translation>„{0}“ fehlt.</translation>
    </message>
    <message>
        <source>“{0}” is not a member of “{1}”.</source>
        <translation>„{0}“ ist nicht Mitglied von „{1}“.</translation>
    </message>
    <message>
        <source>“{0}” is not in the cast.</source>
        <translation>„{0}“ gehört nicht zur Besetzung.</translation>
    </message>
    <message>
        <source>“{0}” must be a list.</source>
        <translation>„{0}“ muss eine Liste sein.</translation>
    </message>
    <message>
        <source>“{0}” must be a text.</source>
        <translation>„{0}“ muss ein Text sein.</translation>
    </message>
    <message>
        <source>“{0}” must have keys of its own.</source>
        <translation>„{0}“ muss eigene Schlüssel haben.</translation>
    </message>
    <message>
        <source>“{0}”: a pattern needs a word that must be in the message.</source>
        <translation>„{0}“: Ein Muster braucht ein Wort, das in der Nachricht vorkommen muss.</translation>
    </message>
    <message>
        <source>“{0}”: “{1}” is not a number from {2} to {3}.</source>
        <translation>„{0}“: „{1}“ ist keine Zahl von {2} bis {3}.</translation>
    </message>
    <message>
        <source>“{0}”: “{1}” is not a time. Write 2.5s, 300ms, 2 min or 1 h.</source>
        <translation>„{0}“: „{1}“ ist keine Zeitangabe. Möglich sind 2.5s, 300ms, 2 min oder 1 h.</translation>
    </message>
    <message>
        <source>“{0}”: “{1}” is not one of {2}.</source>
        <translation>„{0}“: „{1}“ ist keiner der Werte {2}.</translation>
    </message>
    <message>
        <source>“{0}”: “{1}” is not text. Put it in quotes.</source>
        <translation>„{0}“: „{1}“ ist kein Text. Setzen Sie ihn in Anführungszeichen.</translation>
    </message>
    <message>
        <source>“{0}”: “{1}” is there twice.</source>
        <translation>„{0}“: „{1}“ kommt zweimal vor.</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Go to a chat or an agent, or do anything ({key})</source>
        <translation>Zu einem Chat oder Agenten gehen oder etwas ausführen ({key})</translation>
    </message>
    <message>
        <source>Key {key}</source>
        <translation>Taste {key}</translation>
    </message>
    <message>
        <source>Search or type a command</source>
        <translation>Suchen oder Befehl eingeben</translation>
    </message>
</context>
<context>
    <name>SecretField</name>
    <message>
        <source>Hide {field}</source>
        <translation>{field} verbergen</translation>
    </message>
    <message>
        <source>Show {field}</source>
        <translation>{field} zeigen</translation>
    </message>
</context>
<context>
    <name>Section</name>
    <message>
        <source>Reset page</source>
        <translation>Seite zurücksetzen</translation>
    </message>
    <message>
        <source>Reset page {page}</source>
        <translation>Seite „{page}“ zurücksetzen</translation>
    </message>
</context>
<context>
    <name>SeenList</name>
    <message>
        <source>Where it was seen</source>
        <translation>Wo gesehen</translation>
    </message>
</context>
<context>
    <name>SendAsSwitch</name>
    <message>
        <source>A member</source>
        <translation>Ein Mitglied</translation>
    </message>
    <message>
        <source>Write as</source>
        <translation>Schreiben als</translation>
    </message>
    <message>
        <source>as a member of {group}</source>
        <translation>als Mitglied von {group}</translation>
    </message>
    <message>
        <source>as {who}</source>
        <translation>als {who}</translation>
    </message>
    <message>
        <source>as {who} (partner)</source>
        <translation>als {who} (Partner)</translation>
    </message>
</context>
<context>
    <name>SendPreview</name>
    <message>
        <source>Part {n} of {all}</source>
        <translation>Teil {n} von {all}</translation>
    </message>
    <message>
        <source>asks separately</source>
        <translation>fragt gesondert</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>perhaps sent</source>
        <translation>vielleicht gesendet</translation>
    </message>
    <message>
        <source>sent</source>
        <translation>gesendet</translation>
    </message>
    <message>
        <source>{n} s later, asks separately</source>
        <translation>{n} s später, fragt gesondert</translation>
    </message>
</context>
<context>
    <name>SendStatus</name>
    <message>
        <source>Approved, held</source>
        <translation>Freigegeben, angehalten</translation>
    </message>
    <message>
        <source>Delivery unknown</source>
        <translation>Zustellung unbekannt</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Failed, won't retry</source>
        <translation>Fehlgeschlagen, kein neuer Versuch</translation>
    </message>
    <message>
        <source>Postponed, {time} left</source>
        <translation>Verschoben, noch {time}</translation>
    </message>
    <message>
        <source>Rejected</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <source>Sending…</source>
        <translation>Wird gesendet …</translation>
    </message>
    <message>
        <source>Sends in {time}</source>
        <translation>Sendet in {time}</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>Gesendet</translation>
    </message>
    <message>
        <source>Typing, sends in {time}</source>
        <translation>Schreibt, sendet in {time}</translation>
    </message>
    <message>
        <source>Waiting for the step before</source>
        <translation>Wartet auf den Schritt davor</translation>
    </message>
    <message>
        <source>Waits for the account</source>
        <translation>Wartet auf das Konto</translation>
    </message>
    <message>
        <source>Waits for you</source>
        <translation>Wartet auf Sie</translation>
    </message>
    <message>
        <source>Waits to be sent</source>
        <translation>Wartet auf das Senden</translation>
    </message>
</context>
<context>
    <name>SentActions</name>
    <message>
        <source>Changed for everyone</source>
        <translation>Für alle geändert</translation>
    </message>
    <message>
        <source>Delete for everyone</source>
        <translation>Für alle löschen</translation>
    </message>
    <message>
        <source>Delete this message for everyone?</source>
        <translation>Diese Nachricht für alle löschen?</translation>
    </message>
    <message>
        <source>Deleted for everyone</source>
        <translation>Für alle gelöscht</translation>
    </message>
    <message>
        <source>It is deleted for all members of {who}. They may have seen it.</source>
        <translation>Sie wird für alle Mitglieder von {who} gelöscht; vielleicht wurde sie schon gesehen.</translation>
    </message>
    <message>
        <source>Messages can be edited for 48 hours. This one is older</source>
        <translation>Telegram erlaubt das Bearbeiten 48 Stunden lang; diese Nachricht ist älter</translation>
    </message>
    <message>
        <source>Rule restored</source>
        <translation>Regel wiederhergestellt</translation>
    </message>
    <message>
        <source>Rule revoked</source>
        <translation>Regel widerrufen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>{who} has read it already. It is deleted on both sides.</source>
        <translation>{who} hat sie schon gelesen. Sie wird auf beiden Seiten gelöscht.</translation>
    </message>
    <message>
        <source>{who} may have seen it, perhaps in a notification. It is deleted on both sides.</source>
        <translation>{who} hat sie vielleicht gesehen, etwa in einer Mitteilung. Sie wird auf beiden Seiten gelöscht.</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>price not known</source>
        <translation>Preis unbekannt</translation>
    </message>
    <message>
        <source>{price} a million tokens</source>
        <translation>{price} je Million Token</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>A chat has come to rest after</source>
        <translation>Ein Chat ist zur Ruhe gekommen nach</translation>
    </message>
    <message>
        <source>A, E, R and other letters decide in Approvals.</source>
        <translation>A, E, R und andere Buchstaben entscheiden in den Freigaben.</translation>
    </message>
    <message>
        <source>Added to the time above.</source>
        <translation>Kommt zur Zeit darüber hinzu.</translation>
    </message>
    <message>
        <source>After that, messages wait for you. 0 turns the cap off.</source>
        <translation>Danach warten Nachrichten auf Sie. 0 schaltet die Obergrenze aus.</translation>
    </message>
    <message>
        <source>An agent's own file comes first.</source>
        <translation>Die Datei eines Agenten hat Vorrang.</translation>
    </message>
    <message>
        <source>An approved message is sent after this, unless you undo it. 0 sends at once.</source>
        <translation>Eine freigegebene Nachricht wird danach gesendet, falls Sie sie nicht zurücknehmen. 0 sendet sofort.</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Darstellung</translation>
    </message>
    <message>
        <source>Approvals and trust</source>
        <translation>Freigaben und Vertrauen</translation>
    </message>
    <message>
        <source>Ask again if late by more than</source>
        <translation>Erneut fragen, wenn verspätet um mehr als</translation>
    </message>
    <message>
        <source>At most this long after the first message.</source>
        <translation>Höchstens so lange nach der ersten Nachricht.</translation>
    </message>
    <message>
        <source>Choosing a sticker</source>
        <translation>Sticker auswählen</translation>
    </message>
    <message>
        <source>Closing the window hides it. Use Quit in the tray menu to quit.</source>
        <translation>Beim Schließen verschwindet nur das Fenster; „Beenden“ im Menü des Infobereichs beendet das Programm.</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>Kontrast</translation>
    </message>
    <message>
        <source>Countdown</source>
        <translation>Countdown</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Describe media, at most</source>
        <translation>Medien beschreiben, höchstens</translation>
    </message>
    <message>
        <source>Desktop notifications</source>
        <translation>Benachrichtigungen</translation>
    </message>
    <message>
        <source>Every agent starts in review: each planned message waits for you.</source>
        <translation>Jeder Agent beginnt mit „Prüfen“: jede geplante Nachricht wartet auf Sie.</translation>
    </message>
    <message>
        <source>Find memories by</source>
        <translation>Erinnerungen finden über</translation>
    </message>
    <message>
        <source>Folder of the local model</source>
        <translation>Ordner des lokalen Modells</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Gemini</source>
        <translation>Gemini</translation>
    </message>
    <message>
        <source>High</source>
        <translation>Hoch</translation>
    </message>
    <message>
        <source>High: stronger texts and lines, and a thick frame around what has the focus.</source>
        <translation>Hoch: kräftigere Texte und Linien und ein dicker Rahmen um das, was den Fokus hat.</translation>
    </message>
    <message>
        <source>How long it takes before a sticker is sent.</source>
        <translation>Wie lange es dauert, bis ein Sticker gesendet wird.</translation>
    </message>
    <message>
        <source>How long the persona pauses in a chat where you write yourself.</source>
        <translation>Wie lange die Persona in einem Chat pausiert, in dem Sie selbst schreiben.</translation>
    </message>
    <message>
        <source>How long “typing…” is shown before a message. 0 here and below: not at all.</source>
        <translation>Wie lange vor einer Nachricht „schreibt …“ gezeigt wird. 0 hier und unten: gar nicht.</translation>
    </message>
    <message>
        <source>How you are notified while you look elsewhere.</source>
        <translation>Wie Sie Neues erfahren, während Sie anderswo hinsehen.</translation>
    </message>
    <message>
        <source>It holds model.onnx, tokenizer.json and config.json. Nothing is downloaded by Chimein.</source>
        <translation>Er enthält model.onnx, tokenizer.json und config.json. Chimein lädt nichts herunter.</translation>
    </message>
    <message>
        <source>Keep running in the tray</source>
        <translation>Im Infobereich weiterlaufen</translation>
    </message>
    <message>
        <source>Keep traces and prompts for</source>
        <translation>Traces und Prompts behalten für</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Light, dark, or like the system.</source>
        <translation>Hell, dunkel oder wie das System.</translation>
    </message>
    <message>
        <source>Limits and caps</source>
        <translation>Grenzen</translation>
    </message>
    <message>
        <source>Local model</source>
        <translation>Lokales Modell</translation>
    </message>
    <message>
        <source>Longest wait</source>
        <translation>Längste Wartezeit</translation>
    </message>
    <message>
        <source>Look through, at most</source>
        <translation>Durchsehen, höchstens</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>Messages in a prompt</source>
        <translation>Nachrichten im Prompt</translation>
    </message>
    <message>
        <source>Model calls for memories, of all agents. 0 turns them off.</source>
        <translation>Modellaufrufe für Erinnerungen, aller Agenten. 0 schaltet sie aus.</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>Bewegung</translation>
    </message>
    <message>
        <source>Never shown or logged.</source>
        <translation>Nie angezeigt oder protokolliert.</translation>
    </message>
    <message>
        <source>No notifications from this time on.</source>
        <translation>Ab dieser Uhrzeit kommen keine Benachrichtigungen.</translation>
    </message>
    <message>
        <source>Notifications and tray</source>
        <translation>Benachrichtigungen und Infobereich</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Off: notifications only say that a message waits.</source>
        <translation>Aus: Sie sagen nur, dass eine Nachricht wartet.</translation>
    </message>
    <message>
        <source>Older ones are deleted in quiet moments, except traces that you keep.</source>
        <translation>Ältere werden in ruhigen Momenten gelöscht, außer Traces, die Sie behalten.</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Ein</translation>
    </message>
    <message>
        <source>Other chats wait for their turn.</source>
        <translation>Weitere Chats warten, bis sie an der Reihe sind.</translation>
    </message>
    <message>
        <source>Overdue messages wait for you again.</source>
        <translation>Überfällige Nachrichten warten wieder auf Sie.</translation>
    </message>
    <message>
        <source>Percent of the system's size.</source>
        <translation>In Prozent der Systemgröße.</translation>
    </message>
    <message>
        <source>Plans and replies of agents whose file names no model.</source>
        <translation>Pläne und Antworten von Agenten, deren Datei kein Modell nennt.</translation>
    </message>
    <message>
        <source>Plans in parallel</source>
        <translation>Pläne gleichzeitig</translation>
    </message>
    <message>
        <source>Played with a notification.</source>
        <translation>Ertönt mit einer Benachrichtigung.</translation>
    </message>
    <message>
        <source>Propose memories</source>
        <translation>Erinnerungen vorschlagen</translation>
    </message>
    <message>
        <source>Propose memories from groups</source>
        <translation>Erinnerungen aus Gruppen vorschlagen</translation>
    </message>
    <message>
        <source>Quiet from</source>
        <translation>Ruhe ab</translation>
    </message>
    <message>
        <source>Quiet until</source>
        <translation>Ruhe bis</translation>
    </message>
    <message>
        <source>Remembered on this computer.</source>
        <translation>Auf diesem Computer gemerkt.</translation>
    </message>
    <message>
        <source>Sends in one chat</source>
        <translation>Nachrichten in einem Chat</translation>
    </message>
    <message>
        <source>Sends of one account</source>
        <translation>Nachrichten eines Kontos</translation>
    </message>
    <message>
        <source>Show names and texts in notifications</source>
        <translation>Namen und Texte in Benachrichtigungen zeigen</translation>
    </message>
    <message>
        <source>Single-key shortcuts</source>
        <translation>Einzeltasten</translation>
    </message>
    <message>
        <source>Sound</source>
        <translation>Ton</translation>
    </message>
    <message>
        <source>Stickers, pictures, videos and voice messages without a text of yours go to Google, each once, at most so many every two seconds. 0 turns this off.</source>
        <translation>Sticker, Bilder, Videos und Sprachnachrichten ohne einen Text von Ihnen gehen an Google, jedes einmal, höchstens so viele alle zwei Sekunden. 0 schaltet das aus.</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Takeover</source>
        <translation>Übernahme</translation>
    </message>
    <message>
        <source>Takes effect at the next start.</source>
        <translation>Gilt ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Textgröße</translation>
    </message>
    <message>
        <source>The longest “typing…” for long messages.</source>
        <translation>Das längste „schreibt …“ für lange Nachrichten.</translation>
    </message>
    <message>
        <source>The newest of a chat. Agents can ask for fewer.</source>
        <translation>Die neuesten eines Chats; Agenten dürfen weniger verlangen.</translation>
    </message>
    <message>
        <source>The same for groups, about whoever wrote.</source>
        <translation>Dasselbe für Gruppen, über alle, die geschrieben haben.</translation>
    </message>
    <message>
        <source>The same for groups, after a mention or reply.</source>
        <translation>Dasselbe für Gruppen, nach einer Erwähnung oder Antwort.</translation>
    </message>
    <message>
        <source>The same time as above: never quiet.</source>
        <translation>Dieselbe Uhrzeit wie oben: nie Ruhe.</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Design</translation>
    </message>
    <message>
        <source>Time without a message before it is looked through.</source>
        <translation>Zeit ohne Nachricht, bevor er durchgesehen wird.</translation>
    </message>
    <message>
        <source>Time without a new message before a reply is planned.</source>
        <translation>Zeit ohne neue Nachricht, bevor eine Antwort geplant wird.</translation>
    </message>
    <message>
        <source>Time, target and notes stand after the messages, so the service can reuse the rest at a lower price. Off: before them; then every call costs the full price.</source>
        <translation>Uhrzeit, Ziel und Notizen stehen hinter den Nachrichten, damit der Dienst den Rest günstiger wiederverwenden kann. Aus: davor; dann kostet jeder Aufruf den vollen Preis.</translation>
    </message>
    <message>
        <source>Traces and prompts, at most</source>
        <translation>Traces und Prompts, höchstens</translation>
    </message>
    <message>
        <source>Typing, at least</source>
        <translation>Schreiben, mindestens</translation>
    </message>
    <message>
        <source>Typing, at most</source>
        <translation>Schreiben, höchstens</translation>
    </message>
    <message>
        <source>Typing, for each 60 characters</source>
        <translation>Schreiben, je 60 Zeichen</translation>
    </message>
    <message>
        <source>Undo time</source>
        <translation>Zeit zum Rückgängigmachen</translation>
    </message>
    <message>
        <source>Usual</source>
        <translation>Üblich</translation>
    </message>
    <message>
        <source>Wait after a mention</source>
        <translation>Warten nach einer Erwähnung</translation>
    </message>
    <message>
        <source>Wait for more messages</source>
        <translation>Auf weitere Nachrichten warten</translation>
    </message>
    <message>
        <source>Waiting messages, countdowns, accounts in trouble; never what is on screen.</source>
        <translation>Wartende Nachrichten, Countdowns, Konten mit Störungen; nie, was gerade zu sehen ist.</translation>
    </message>
    <message>
        <source>What changes comes last</source>
        <translation>Veränderliches zuletzt</translation>
    </message>
    <message>
        <source>When a cap is reached, messages wait for you.</source>
        <translation>Ist eine Obergrenze erreicht, warten Nachrichten auf Sie.</translation>
    </message>
    <message>
        <source>When a direct chat has come to rest, a model call looks for what is worth remembering. What it finds waits for you in Memory, Review.</source>
        <translation>Wenn ein direkter Chat zur Ruhe gekommen ist, sucht ein Modellaufruf darin nach Merkenswertem. Was er findet, wartet auf Sie unter Gedächtnis, Prüfen.</translation>
    </message>
    <message>
        <source>When they take more, the oldest are deleted first.</source>
        <translation>Nehmen sie mehr ein, werden die ältesten zuerst gelöscht.</translation>
    </message>
    <message>
        <source>Whether stickers and panes are animated.</source>
        <translation>Ob Sticker und Bereiche animiert werden.</translation>
    </message>
    <message>
        <source>With countdown trust, a message is sent after this.</source>
        <translation>Auf der Stufe „Countdown“ wird eine Nachricht danach gesendet.</translation>
    </message>
    <message>
        <source>Words alone</source>
        <translation>Nur Wörter</translation>
    </message>
    <message>
        <source>Words alone stays on this computer. Gemini also finds other words of the same meaning: all memories, and the messages to answer, go to Google. A local model does it on this computer.</source>
        <translation>Nur Wörter bleibt auf diesem Rechner. Gemini findet auch andere Wörter gleicher Bedeutung: Alle Erinnerungen und die Nachrichten, auf die geantwortet wird, gehen an Google. Ein lokales Modell macht das auf diesem Rechner.</translation>
    </message>
    <message>
        <source>Your files, and Chimein's own data.</source>
        <translation>Ihre Dateien und die eigenen Daten von Chimein.</translation>
    </message>
    <message>
        <source>a day</source>
        <translation>am Tag</translation>
    </message>
    <message>
        <source>an hour</source>
        <translation>je Stunde</translation>
    </message>
    <message>
        <source>at a time</source>
        <translation>auf einmal</translation>
    </message>
    <message>
        <source>costs nothing</source>
        <translation>kostet nichts</translation>
    </message>
    <message>
        <source>days</source>
        <translation>Tage</translation>
    </message>
    <message>
        <source>messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>min</source>
        <translation>min</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keiner</translation>
    </message>
    <message>
        <source>plans</source>
        <translation>Pläne</translation>
    </message>
    <message>
        <source>price not known</source>
        <translation>Preis unbekannt</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>{price} a million tokens</source>
        <translation>{price} je Million Token</translation>
    </message>
    <message>
        <source>{prompt} / {reply}</source>
        <translation>{prompt} / {reply}</translation>
    </message>
</context>
<context>
    <name>SmallDialog</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>SourceEditor</name>
    <message>
        <source>First choose which version to keep</source>
        <translation>Wählen Sie zuerst, welche Fassung bleibt</translation>
    </message>
    <message>
        <source>Fix the problems first; your changes are kept meanwhile</source>
        <translation>Beheben Sie zuerst die Probleme; Ihre Änderungen bleiben solange erhalten</translation>
    </message>
    <message>
        <source>It comes with Chimein</source>
        <translation>Sie gehört zu Chimein</translation>
    </message>
    <message>
        <source>It is being saved</source>
        <translation>Wird gerade gespeichert</translation>
    </message>
    <message>
        <source>Line {n} is longer than {most} characters. Edit the file in another program.</source>
        <translation>Zeile {n} ist länger als {most} Zeichen. Bearbeiten Sie die Datei mit einem anderen Programm.</translation>
    </message>
    <message>
        <source>Nothing to save</source>
        <translation>Nichts zu speichern</translation>
    </message>
    <message>
        <source>Save or discard its changes first</source>
        <translation>Speichern oder verwerfen Sie zuerst die Änderungen</translation>
    </message>
    <message>
        <source>“{before}” is now “{name}”</source>
        <translation>„{before}“ heißt jetzt „{name}“</translation>
    </message>
    <message>
        <source>“{name}” has its former name</source>
        <translation>„{name}“ hat wieder den früheren Namen</translation>
    </message>
    <message>
        <source>“{name}” is a copy</source>
        <translation>„{name}“ ist eine Kopie</translation>
    </message>
    <message>
        <source>“{name}” is back from the archive</source>
        <translation>„{name}“ ist aus dem Archiv zurück</translation>
    </message>
    <message>
        <source>“{name}” is created</source>
        <translation>„{name}“ ist angelegt</translation>
    </message>
    <message>
        <source>“{name}” is in the archive</source>
        <translation>„{name}“ ist im Archiv</translation>
    </message>
</context>
<context>
    <name>SourceHead</name>
    <message>
        <source>Another program has changed the same lines</source>
        <translation>Ein anderes Programm hat dieselben Zeilen geändert</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>Meine behalten</translation>
    </message>
    <message>
        <source>Nothing was written. Choose which version to keep. Undo brings yours back.</source>
        <translation>Es wurde nichts geschrieben. Wählen Sie, welche Fassung bleiben soll. „Rückgängig“ holt Ihre zurück.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Saved {time}</source>
        <translation>Gespeichert {time}</translation>
    </message>
    <message>
        <source>Saved {time}, merged with the disk</source>
        <translation>Gespeichert {time}, mit dem Datenträger zusammengeführt</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>Wird gespeichert …</translation>
    </message>
    <message>
        <source>Show both</source>
        <translation>Beide zeigen</translation>
    </message>
    <message>
        <source>Take theirs</source>
        <translation>Andere übernehmen</translation>
    </message>
    <message>
        <source>archived, not loaded</source>
        <translation>archiviert, nicht geladen</translation>
    </message>
    <message>
        <source>as on the disk</source>
        <translation>wie auf dem Datenträger</translation>
    </message>
    <message>
        <source>changed on the disk, too</source>
        <translation>auch auf dem Datenträger geändert</translation>
    </message>
    <message>
        <source>comes with Chimein, read only</source>
        <translation>gehört zu Chimein, nur lesbar</translation>
    </message>
    <message>
        <source>edited, merged with the disk</source>
        <translation>geändert, mit dem Datenträger zusammengeführt</translation>
    </message>
    <message>
        <source>edited, not saved</source>
        <translation>geändert, nicht gespeichert</translation>
    </message>
    <message>
        <source>my version</source>
        <translation>meine Fassung</translation>
    </message>
    <message>
        <source>version on the disk</source>
        <translation>Fassung auf dem Datenträger</translation>
    </message>
</context>
<context>
    <name>SourceList</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n Problem</numerusform>
            <numerusform>%n Probleme</numerusform>
        </translation>
    </message>
    <message>
        <source>Agent files and prompts</source>
        <translation>Agentendateien und Prompts</translation>
    </message>
    <message>
        <source>archived</source>
        <translation>archiviert</translation>
    </message>
    <message>
        <source>edited, not saved</source>
        <translation>geändert, nicht gespeichert</translation>
    </message>
    <message>
        <source>not loaded</source>
        <translation>nicht geladen</translation>
    </message>
    <message>
        <source>used by all agents</source>
        <translation>von allen Agenten verwendet</translation>
    </message>
    <message>
        <source>used by nobody</source>
        <translation>von niemandem verwendet</translation>
    </message>
    <message>
        <source>used by {names}</source>
        <translation>verwendet von {names}</translation>
    </message>
</context>
<context>
    <name>SourceMenu</name>
    <message>
        <source>Archive</source>
        <translation>Archivieren</translation>
    </message>
    <message>
        <source>Bring back from the archive</source>
        <translation>Aus dem Archiv zurückholen</translation>
    </message>
    <message>
        <source>Duplicate…</source>
        <translation>Duplizieren …</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Import character card…</source>
        <translation>Charakterkarte importieren …</translation>
    </message>
    <message>
        <source>Name of the copy</source>
        <translation>Name der Kopie</translation>
    </message>
    <message>
        <source>Name of the new prompt</source>
        <translation>Name des neuen Prompts</translation>
    </message>
    <message>
        <source>New agent…</source>
        <translation>Neuer Agent …</translation>
    </message>
    <message>
        <source>New name</source>
        <translation>Neuer Name</translation>
    </message>
    <message>
        <source>New prompt for {agent} alone…</source>
        <translation>Neuer Prompt nur für {agent} …</translation>
    </message>
    <message>
        <source>New prompt…</source>
        <translation>Neuer Prompt …</translation>
    </message>
    <message>
        <source>Open in another program</source>
        <translation>Mit anderem Programm öffnen</translation>
    </message>
    <message>
        <source>Open its folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen …</translation>
    </message>
</context>
<context>
    <name>SourceProblems</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n Problem</numerusform>
            <numerusform>%n Probleme</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SourceText</name>
    <message>
        <source>Completion</source>
        <translation>Vervollständigung</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
</context>
<context>
    <name>SourcesPane</name>
    <message>
        <source>Choose an agent or a prompt on the left.</source>
        <translation>Wählen Sie links einen Agenten oder einen Prompt.</translation>
    </message>
    <message>
        <source>Complete</source>
        <translation>Vervollständigen</translation>
    </message>
    <message>
        <source>Find a file</source>
        <translation>Datei suchen</translation>
    </message>
    <message>
        <source>Form or Markdown</source>
        <translation>Formular oder Markdown</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>Next field</source>
        <translation>Nächstes Feld</translation>
    </message>
    <message>
        <source>Next problem</source>
        <translation>Nächstes Problem</translation>
    </message>
    <message>
        <source>No file is open</source>
        <translation>Keine Datei ist geöffnet</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>The file can't be opened</source>
        <translation>Die Datei kann nicht geöffnet werden</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>SpeakPage</name>
    <message>
        <source>Anyone here can write to any account, even for the first time.</source>
        <translation>Hier kann jeder jedem Konto schreiben, auch zum ersten Mal.</translation>
    </message>
    <message>
        <source>Delivered to {peer}</source>
        <translation>An {peer} zugestellt</translation>
    </message>
    <message>
        <source>Message of {who} to {peer}</source>
        <translation>Nachricht von {who} an {peer}</translation>
    </message>
    <message>
        <source>Nothing typed yet</source>
        <translation>Noch nichts eingegeben</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Send as {who} to {peer}</source>
        <translation>Als {who} an {peer} senden</translation>
    </message>
    <message>
        <source>There is nobody to write to</source>
        <translation>Niemand da, dem man schreiben könnte</translation>
    </message>
    <message>
        <source>This sandbox has no people to write as.</source>
        <translation>In dieser Sandbox gibt es niemanden, als der Sie schreiben könnten.</translation>
    </message>
    <message>
        <source>To</source>
        <translation>An</translation>
    </message>
    <message>
        <source>What do they write?</source>
        <translation>Was wird geschrieben?</translation>
    </message>
    <message>
        <source>Write as</source>
        <translation>Schreiben als</translation>
    </message>
    <message>
        <source>{group} (group)</source>
        <translation>{group} (Gruppe)</translation>
    </message>
</context>
<context>
    <name>Stage</name>
    <message>
        <source>Loading…</source>
        <translation>Wird geladen …</translation>
    </message>
    <message>
        <source>No picture</source>
        <translation>Kein Bild</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Nicht verbunden</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Too large to show</source>
        <translation>Zu groß zum Anzeigen</translation>
    </message>
</context>
<context>
    <name>StartingPane</name>
    <message>
        <source>Starting…</source>
        <translation>Startet …</translation>
    </message>
</context>
<context>
    <name>StepDetails</name>
    <message>
        <source>Cancel from here</source>
        <translation>Ab hier abbrechen</translation>
    </message>
    <message>
        <source>Choose a step first.</source>
        <translation>Wählen Sie zuerst einen Schritt.</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten …</translation>
    </message>
    <message>
        <source>End wait now</source>
        <translation>Pause beenden</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Only a message that asks you can be edited.</source>
        <translation>Nur eine Nachricht, über die Sie noch entscheiden, lässt sich bearbeiten.</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>Step: {what}</source>
        <translation>Schritt: {what}</translation>
    </message>
    <message>
        <source>Try now</source>
        <translation>Jetzt versuchen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>StepFacts</name>
    <message numerus="yes">
        <source>%n more step(s)</source>
        <translation>
            <numerusform>%n weiterer Schritt</numerusform>
            <numerusform>%n weitere Schritte</numerusform>
        </translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nach</translation>
    </message>
    <message>
        <source>Asks because</source>
        <translation>Fragt wegen</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Continues</source>
        <translation>Weiter in</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>Entscheidung</translation>
    </message>
    <message>
        <source>Postponed</source>
        <translation>Verschoben um</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>Danach</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
</context>
<context>
    <name>StepList</name>
    <message>
        <source>Step {n} of {all}: {name}</source>
        <translation>Schritt {n} von {all}: {name}</translation>
    </message>
</context>
<context>
    <name>StepMenu</name>
    <message>
        <source>Change wait…</source>
        <translation>Pause ändern …</translation>
    </message>
    <message>
        <source>Choose a step first.</source>
        <translation>Wählen Sie zuerst einen Schritt.</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Verdoppeln</translation>
    </message>
    <message>
        <source>Edit text…</source>
        <translation>Text bearbeiten …</translation>
    </message>
    <message>
        <source>Insert message after…</source>
        <translation>Nachricht danach einfügen …</translation>
    </message>
    <message>
        <source>Insert message before…</source>
        <translation>Nachricht davor einfügen …</translation>
    </message>
    <message>
        <source>Insert photo or file</source>
        <translation>Foto oder Datei einfügen</translation>
    </message>
    <message>
        <source>Insert photo or file after…</source>
        <translation>Foto oder Datei danach einfügen …</translation>
    </message>
    <message>
        <source>Insert photo or file before…</source>
        <translation>Foto oder Datei davor einfügen …</translation>
    </message>
    <message>
        <source>Insert sticker after…</source>
        <translation>Sticker danach einfügen …</translation>
    </message>
    <message>
        <source>Insert sticker before…</source>
        <translation>Sticker davor einfügen …</translation>
    </message>
    <message>
        <source>Insert wait after…</source>
        <translation>Pause danach einfügen …</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Only a message that asks you can be edited.</source>
        <translation>Nur eine Nachricht, über die Sie noch entscheiden, lässt sich bearbeiten.</translation>
    </message>
    <message>
        <source>Split off</source>
        <translation>Abzweigen</translation>
    </message>
</context>
<context>
    <name>StepRail</name>
    <message>
        <source>first run</source>
        <translation>erster Start</translation>
    </message>
</context>
<context>
    <name>StepTab</name>
    <message>
        <source>Open the card</source>
        <translation>Karte öffnen</translation>
    </message>
    <message>
        <source>Open the message</source>
        <translation>Nachricht öffnen</translation>
    </message>
    <message>
        <source>Your changes to the model's text</source>
        <translation>Ihre Änderungen am Text des Modells</translation>
    </message>
</context>
<context>
    <name>TabRows</name>
    <message>
        <source>Panes</source>
        <translation>Bereiche</translation>
    </message>
</context>
<context>
    <name>TakeoverBar</name>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Resume {agent}</source>
        <translation>{agent} fortsetzen</translation>
    </message>
    <message>
        <source>You took over: {agent} pauses, {time} left</source>
        <translation>Von Ihnen übernommen: {agent} pausiert, noch {time}</translation>
    </message>
</context>
<context>
    <name>Templates</name>
    <message>
        <source>A friend</source>
        <translation>Ein Freund</translation>
    </message>
    <message>
        <source>A help desk</source>
        <translation>Eine Auskunft</translation>
    </message>
    <message>
        <source>Blank</source>
        <translation>Leer</translation>
    </message>
</context>
<context>
    <name>Texts</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n Token</numerusform>
            <numerusform>%n Token</numerusform>
        </translation>
    </message>
    <message>
        <source>AI text</source>
        <translation>KI-Text</translation>
    </message>
    <message>
        <source>Curated text</source>
        <translation>Kuratierter Text</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>Nicht gesichert</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>Noch nicht gesichert</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Erneut</translation>
    </message>
    <message>
        <source>Saved {time}</source>
        <translation>Gesichert {time}</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>Wird gesichert …</translation>
    </message>
    <message>
        <source>The model has not described this yet.</source>
        <translation>Das Modell hat das noch nicht beschrieben.</translation>
    </message>
    <message>
        <source>Use as start</source>
        <translation>Als Anfang</translation>
    </message>
    <message>
        <source>With the next prompt after {time} it is tried again.</source>
        <translation>Mit dem nächsten Prompt nach {time} wird es noch einmal versucht.</translation>
    </message>
    <message>
        <source>Write what prompts will say</source>
        <translation>Schreiben, was in Prompts steht</translation>
    </message>
    <message>
        <source>what prompts will say</source>
        <translation>was in Prompts steht</translation>
    </message>
</context>
<context>
    <name>TimeAxis</name>
    <message>
        <source>Cost $</source>
        <translation>Kosten $</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
</context>
<context>
    <name>ToastCard</name>
    <message>
        <source>{words}. Possible now: {action}</source>
        <translation>{words}. Jetzt möglich: {action}</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message numerus="yes">
        <source>%n approved, held</source>
        <translation>
            <numerusform>%n freigegeben, angehalten</numerusform>
            <numerusform>%n freigegeben, angehalten</numerusform>
        </translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Nothing to approve</source>
        <translation>Nichts freizugeben</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Überblick</translation>
    </message>
    <message>
        <source>oldest {age}</source>
        <translation>älteste {age}</translation>
    </message>
    <message>
        <source>{n} waiting</source>
        <translation>{n} offen</translation>
    </message>
    <message>
        <source>{up} of {all} connected</source>
        <translation>{up} von {all} verbunden</translation>
    </message>
</context>
<context>
    <name>TraceActions</name>
    <message>
        <source>Choose another folder…</source>
        <translation>Anderen Ordner wählen …</translation>
    </message>
    <message>
        <source>Copied as curl. Put your key where the command says.</source>
        <translation>Als curl kopiert. Setzen Sie Ihren Schlüssel dort ein, wo der Befehl es sagt.</translation>
    </message>
    <message>
        <source>Export as JSON, with texts…</source>
        <translation>Als JSON exportieren, mit Texten …</translation>
    </message>
    <message>
        <source>Export as JSON, without texts…</source>
        <translation>Als JSON exportieren, ohne Texte …</translation>
    </message>
    <message>
        <source>Export as OpenTelemetry, with texts…</source>
        <translation>Als OpenTelemetry exportieren, mit Texten …</translation>
    </message>
    <message>
        <source>Export as OpenTelemetry, without texts…</source>
        <translation>Als OpenTelemetry exportieren, ohne Texte …</translation>
    </message>
    <message>
        <source>Export trace</source>
        <translation>Ablauf exportieren</translation>
    </message>
    <message>
        <source>Go to the message that it answers</source>
        <translation>Zur beantworteten Nachricht</translation>
    </message>
    <message>
        <source>Go to the message that was sent</source>
        <translation>Zur gesendeten Nachricht</translation>
    </message>
    <message>
        <source>JSON files (*.json)</source>
        <translation>JSON-Dateien (*.json)</translation>
    </message>
    <message>
        <source>Keep this trace</source>
        <translation>Diesen Ablauf behalten</translation>
    </message>
    <message>
        <source>Open chat</source>
        <translation>Chat öffnen</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Open task graph</source>
        <translation>Plan öffnen</translation>
    </message>
    <message>
        <source>Show in Approvals</source>
        <translation>In den Freigaben zeigen</translation>
    </message>
    <message>
        <source>Show lines of the log</source>
        <translation>Zeilen des Protokolls zeigen</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>Ablauf</translation>
    </message>
    <message>
        <source>Trace exported to {name}</source>
        <translation>Ablauf nach {name} exportiert</translation>
    </message>
    <message>
        <source>{name} in {folder}: {why}</source>
        <translation>{name} in {folder}: {why}</translation>
    </message>
</context>
<context>
    <name>TraceAsks</name>
    <message>
        <source>An earlier step of the plan was changed: check that this one still fits.</source>
        <translation>Ein früherer Schritt des Plans wurde geändert: Prüfen Sie, ob dieser noch passt.</translation>
    </message>
    <message>
        <source>It can't be sent as it is: edit it or reject it.</source>
        <translation>So kann sie nicht gesendet werden: Bearbeiten Sie sie, oder lehnen Sie sie ab.</translation>
    </message>
    <message>
        <source>It can't be undone.</source>
        <translation>Es kann nicht rückgängig gemacht werden.</translation>
    </message>
    <message>
        <source>It is not known whether somebody is blocked here, so you are asked.</source>
        <translation>Es ist nicht bekannt, ob hier jemand blockiert ist, deshalb werden Sie gefragt.</translation>
    </message>
    <message>
        <source>It is not known whether the chat is muted in Telegram, so you are asked.</source>
        <translation>Es ist nicht bekannt, ob der Chat in Telegram stummgeschaltet ist, deshalb werden Sie gefragt.</translation>
    </message>
    <message>
        <source>It is older than 12 hours: check that it still fits.</source>
        <translation>Sie ist älter als 12 Stunden: Prüfen Sie, ob sie noch passt.</translation>
    </message>
    <message>
        <source>It is overdue: check that it still fits.</source>
        <translation>Sie ist überfällig: Prüfen Sie, ob sie noch passt.</translation>
    </message>
    <message>
        <source>It may have arrived already: look into the chat before you send it again.</source>
        <translation>Sie ist vielleicht schon angekommen: Sehen Sie im Chat nach, bevor Sie sie erneut senden.</translation>
    </message>
    <message>
        <source>It was held for a while: check that it still fits.</source>
        <translation>Sie war eine Zeit lang angehalten: Prüfen Sie, ob sie noch passt.</translation>
    </message>
    <message>
        <source>Telegram has frozen the account, so you are asked.</source>
        <translation>Telegram hat das Konto eingefroren, deshalb werden Sie gefragt.</translation>
    </message>
    <message>
        <source>Telegram limits what the account may send, so you are asked.</source>
        <translation>Telegram begrenzt, was das Konto senden darf, deshalb werden Sie gefragt.</translation>
    </message>
    <message>
        <source>The chat is muted in Telegram, so you are asked.</source>
        <translation>Der Chat ist in Telegram stummgeschaltet, deshalb werden Sie gefragt.</translation>
    </message>
    <message>
        <source>The conversation went on while this was written: check that it still fits, or reject it.</source>
        <translation>Das Gespräch ging weiter, während dies geschrieben wurde: Prüfen Sie, ob es noch passt, oder lehnen Sie es ab.</translation>
    </message>
    <message>
        <source>The model's reply broke off: check that the text is whole.</source>
        <translation>Die Antwort des Modells brach ab: Prüfen Sie, ob der Text vollständig ist.</translation>
    </message>
    <message>
        <source>Too many messages were sent automatically, so you are asked.</source>
        <translation>Zu viele Nachrichten wurden automatisch gesendet, deshalb werden Sie gefragt.</translation>
    </message>
    <message>
        <source>You brought it back, and it is sent once you approve it.</source>
        <translation>Sie haben sie zurückgeholt; sie wird gesendet, sobald Sie sie freigeben.</translation>
    </message>
    <message>
        <source>You took the chat over, so you are asked.</source>
        <translation>Sie haben den Chat übernommen, deshalb werden Sie gefragt.</translation>
    </message>
</context>
<context>
    <name>TraceBlocks</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln Token</numerusform>
            <numerusform>%Ln Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>approved</source>
        <translation>freigegeben</translation>
    </message>
    <message>
        <source>being sent</source>
        <translation>wird gesendet</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>done</source>
        <translation>erledigt</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>finish: {reason}</source>
        <translation>Ende: {reason}</translation>
    </message>
    <message>
        <source>never sent, never stored</source>
        <translation>nie gesendet, nie gespeichert</translation>
    </message>
    <message>
        <source>no task</source>
        <translation>kein Schritt</translation>
    </message>
    <message>
        <source>not remembered</source>
        <translation>nicht gemerkt</translation>
    </message>
    <message>
        <source>observed</source>
        <translation>beobachtet</translation>
    </message>
    <message>
        <source>outcome unknown</source>
        <translation>Ausgang unbekannt</translation>
    </message>
    <message>
        <source>planned</source>
        <translation>geplant</translation>
    </message>
    <message>
        <source>rejected</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>remembered</source>
        <translation>gemerkt</translation>
    </message>
    <message>
        <source>sent</source>
        <translation>gesendet</translation>
    </message>
    <message>
        <source>sent · edited</source>
        <translation>gesendet · geändert</translation>
    </message>
    <message>
        <source>set aside</source>
        <translation>beiseitegelegt</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>übersprungen</translation>
    </message>
    <message>
        <source>under way</source>
        <translation>in Arbeit</translation>
    </message>
    <message>
        <source>waiting for you</source>
        <translation>wartet auf Sie</translation>
    </message>
    <message>
        <source>will be remembered</source>
        <translation>wird gemerkt</translation>
    </message>
    <message>
        <source>{n} of them thinking</source>
        <translation>{n} davon Nachdenken</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} Token</translation>
    </message>
</context>
<context>
    <name>TraceFacts</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln Token</numerusform>
            <numerusform>%Ln Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>Answered in</source>
        <translation>Beantwortet in</translation>
    </message>
    <message>
        <source>Asked for</source>
        <translation>Gefragt nach</translation>
    </message>
    <message>
        <source>At</source>
        <translation>Zeitpunkt</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Began</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <source>Cached of these</source>
        <translation>Davon aus dem Cache</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>Entscheidung</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Estimated</source>
        <translation>Geschätzt</translation>
    </message>
    <message>
        <source>Exact request</source>
        <translation>Genaue Anfrage</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Ende der Antwort</translation>
    </message>
    <message>
        <source>Instruction</source>
        <translation>Anweisung</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>No call was made</source>
        <translation>Es gab keinen Aufruf</translation>
    </message>
    <message>
        <source>Part {n}</source>
        <translation>Teil {n}</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Prompts of dry runs are not stored; What-if in the Prompt pane runs one more</source>
        <translation>Prompts von Probeläufen werden nicht gespeichert; unter „Was-wäre-wenn“ im Bereich „Prompt“ starten Sie einen weiteren</translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation>Zweck</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Begründung</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>Seit</translation>
    </message>
    <message>
        <source>So far</source>
        <translation>Bisher</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>The prompt of this call is not kept any more</source>
        <translation>Der Prompt dieses Aufrufs wird nicht mehr aufbewahrt</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Was geschah</translation>
    </message>
    <message>
        <source>What the service said</source>
        <translation>Wortlaut des Dienstes</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>Was tun</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>Worte</translation>
    </message>
    <message>
        <source>message {id}</source>
        <translation>Nachricht {id}</translation>
    </message>
    <message>
        <source>no message yet</source>
        <translation>noch keine Nachricht</translation>
    </message>
    <message>
        <source>not handed over yet</source>
        <translation>noch nicht übergeben</translation>
    </message>
    <message>
        <source>not known whether it arrived</source>
        <translation>unbekannt, ob sie angekommen ist</translation>
    </message>
    <message>
        <source>not taken by Telegram</source>
        <translation>von Telegram nicht angenommen</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
</context>
<context>
    <name>TraceHead</name>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>It brought no plan</source>
        <translation>Daraus wurde kein Plan</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Open chat</source>
        <translation>Chat öffnen</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Run as what-if</source>
        <translation>Als Was-wäre-wenn</translation>
    </message>
</context>
<context>
    <name>TraceList</name>
    <message>
        <source>Traces</source>
        <translation>Abläufe</translation>
    </message>
</context>
<context>
    <name>TracePage</name>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Injected text</source>
        <translation>Eingefügter Text</translation>
    </message>
    <message>
        <source>Reply → tasks</source>
        <translation>Antwort → Schritte</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Usage</source>
        <translation>Verbrauch</translation>
    </message>
</context>
<context>
    <name>TracePages</name>
    <message numerus="yes">
        <source>%Ln character(s)</source>
        <translation>
            <numerusform>%Ln Zeichen</numerusform>
            <numerusform>%Ln Zeichen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n marker(s) of the page</source>
        <translation>
            <numerusform>%n Markierung der Seite</numerusform>
            <numerusform>%n Markierungen der Seite</numerusform>
        </translation>
    </message>
    <message>
        <source>Answered by</source>
        <translation>Beantwortet von</translation>
    </message>
    <message>
        <source>Escaped</source>
        <translation>Entschärft</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>In the prompt</source>
        <translation>Im Prompt</translation>
    </message>
    <message>
        <source>LLM call {n}, block {block} of {blocks}</source>
        <translation>LLM-Aufruf {n}, Block {block} von {blocks}</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Gelesen</translation>
    </message>
    <message>
        <source>Redirect {code}</source>
        <translation>Weiterleitung {code}</translation>
    </message>
    <message>
        <source>Refused by the rule</source>
        <translation>Abgelehnt durch die Regel</translation>
    </message>
    <message>
        <source>Requested by</source>
        <translation>Angefragt von</translation>
    </message>
    <message>
        <source>Resolved to</source>
        <translation>Aufgelöst zu</translation>
    </message>
    <message>
        <source>Round</source>
        <translation>Runde</translation>
    </message>
    <message>
        <source>Tokens added</source>
        <translation>Zusätzliche Tokens</translation>
    </message>
    <message>
        <source>Trouble</source>
        <translation>Problem</translation>
    </message>
    <message numerus="yes">
        <source>about %Ln, in each later call</source>
        <translation>
            <numerusform>etwa %Ln, in jedem späteren Aufruf</numerusform>
            <numerusform>etwa %Ln, in jedem späteren Aufruf</numerusform>
        </translation>
    </message>
    <message>
        <source>cache</source>
        <translation>Cache</translation>
    </message>
    <message numerus="yes">
        <source>cut after %Ln character(s)</source>
        <translation>
            <numerusform>nach %Ln Zeichen gekürzt</numerusform>
            <numerusform>nach %Ln Zeichen gekürzt</numerusform>
        </translation>
    </message>
    <message>
        <source>cut {n}</source>
        <translation>gekürzt {n}</translation>
    </message>
    <message>
        <source>fresh</source>
        <translation>frisch</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>readable text</source>
        <translation>lesbarer Text</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>source of the page</source>
        <translation>Quelltext der Seite</translation>
    </message>
    <message>
        <source>the first {size}; the page is larger, and reading stops there</source>
        <translation>die ersten {size}; die Seite ist größer, gelesen wird nur bis dahin</translation>
    </message>
    <message>
        <source>{address}, public</source>
        <translation>{address}, öffentlich</translation>
    </message>
    <message>
        <source>{times} × {url}</source>
        <translation>{times} × {url}</translation>
    </message>
</context>
<context>
    <name>TraceReasons</name>
    <message numerus="yes">
        <source>%n decision(s) wait for you</source>
        <translation>
            <numerusform>%n Entscheidung wartet auf Sie</numerusform>
            <numerusform>%n Entscheidungen warten auf Sie</numerusform>
        </translation>
    </message>
    <message>
        <source>A newer plan took its place.</source>
        <translation>Ein neuerer Plan ist an seine Stelle getreten.</translation>
    </message>
    <message>
        <source>Approved, and not sent yet</source>
        <translation>Freigegeben, aber noch nicht gesendet</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>Erneut fragen</translation>
    </message>
    <message>
        <source>Attempt {n} of {of} brought no plan</source>
        <translation>Versuch {n} von {of} ergab keinen Plan</translation>
    </message>
    <message>
        <source>Chimein looks for it in Telegram. If it is not there, you are asked, or it is sent again in a way that lets it arrive only once.</source>
        <translation>Chimein sucht sie bei Telegram. Fehlt sie dort, werden Sie gefragt, oder sie wird so erneut gesendet, dass sie nur einmal ankommt.</translation>
    </message>
    <message>
        <source>Continue without retrieval</source>
        <translation>Ohne Abruf fortfahren</translation>
    </message>
    <message>
        <source>Edit first</source>
        <translation>Erst bearbeiten</translation>
    </message>
    <message>
        <source>It does not count as an attempt, and planning continues automatically at {time}.</source>
        <translation>Es zählt nicht als Versuch, und das Planen geht um {time} automatisch weiter.</translation>
    </message>
    <message>
        <source>It does not count as an attempt, and planning continues automatically.</source>
        <translation>Es zählt nicht als Versuch, und das Planen geht automatisch weiter.</translation>
    </message>
    <message>
        <source>It is not known whether the message arrived</source>
        <translation>Es ist nicht bekannt, ob die Nachricht angekommen ist</translation>
    </message>
    <message>
        <source>It is sent automatically when the time is over; no attempt is used. Other messages of the account wait.</source>
        <translation>Sie wird automatisch gesendet, wenn die Zeit um ist; kein Versuch wird verbraucht. Andere Nachrichten des Kontos warten so lange.</translation>
    </message>
    <message>
        <source>No other version could be made</source>
        <translation>Es konnte keine andere Fassung erstellt werden</translation>
    </message>
    <message>
        <source>No page could be looked up</source>
        <translation>Keine Seite konnte abgerufen werden</translation>
    </message>
    <message numerus="yes">
        <source>No plan after %n attempt(s)</source>
        <translation>
            <numerusform>Kein Plan nach %n Versuch</numerusform>
            <numerusform>Kein Plan nach %n Versuchen</numerusform>
        </translation>
    </message>
    <message>
        <source>No plan could be made</source>
        <translation>Es konnte kein Plan gemacht werden</translation>
    </message>
    <message>
        <source>Not sent, and not tried again</source>
        <translation>Nicht gesendet, und kein weiterer Versuch folgt</translation>
    </message>
    <message>
        <source>Nothing is lost: planning continues when you allow more, or after midnight.</source>
        <translation>Nichts geht verloren: Es wird weiter geplant, wenn Sie mehr erlauben, sonst nach Mitternacht.</translation>
    </message>
    <message>
        <source>Nothing is sent before you approve it.</source>
        <translation>Nichts wird gesendet, bevor Sie es freigeben.</translation>
    </message>
    <message numerus="yes">
        <source>Of %n address(es): {counts}.</source>
        <translation>
            <numerusform>Von %n Adresse: {counts}.</numerusform>
            <numerusform>Von %n Adressen: {counts}.</numerusform>
        </translation>
    </message>
    <message>
        <source>Open What-if</source>
        <translation>Was-wäre-wenn öffnen</translation>
    </message>
    <message>
        <source>Open costs</source>
        <translation>Kosten öffnen</translation>
    </message>
    <message>
        <source>Open the account</source>
        <translation>Konto öffnen</translation>
    </message>
    <message>
        <source>Open the card</source>
        <translation>Karte öffnen</translation>
    </message>
    <message>
        <source>Open the chat</source>
        <translation>Chat öffnen</translation>
    </message>
    <message>
        <source>Open the first card</source>
        <translation>Erste Karte öffnen</translation>
    </message>
    <message>
        <source>Open the keys</source>
        <translation>Schlüssel öffnen</translation>
    </message>
    <message>
        <source>Open the new plan's trace</source>
        <translation>Ablauf des neuen Plans öffnen</translation>
    </message>
    <message>
        <source>Open the prompt</source>
        <translation>Prompt öffnen</translation>
    </message>
    <message>
        <source>Paused by a cap on costs</source>
        <translation>Wegen einer Kostengrenze angehalten</translation>
    </message>
    <message>
        <source>Plan now</source>
        <translation>Jetzt planen</translation>
    </message>
    <message>
        <source>Plan without a message…</source>
        <translation>Ohne eine Nachricht planen…</translation>
    </message>
    <message>
        <source>Planning continues when you change the key.</source>
        <translation>Das Planen geht weiter, sobald Sie den Schlüssel ändern.</translation>
    </message>
    <message>
        <source>Postponed by you, asks again at {time}</source>
        <translation>Von Ihnen verschoben, fragt um {time} wieder</translation>
    </message>
    <message>
        <source>Send the reply although no page could be looked up?</source>
        <translation>Die Antwort senden, obwohl keine Seite nachgeschlagen werden konnte?</translation>
    </message>
    <message>
        <source>Telegram asks this account to wait</source>
        <translation>Telegram lässt dieses Konto warten</translation>
    </message>
    <message>
        <source>Telegram asks this account to wait until {time}</source>
        <translation>Telegram lässt dieses Konto bis {time} warten</translation>
    </message>
    <message>
        <source>The messages are saved and wait for an answer.</source>
        <translation>Die Nachrichten sind gespeichert und warten auf eine Antwort.</translation>
    </message>
    <message>
        <source>The model refused the request, so there is no reply</source>
        <translation>Das Modell hat die Anfrage abgelehnt, daher gibt es keine Antwort</translation>
    </message>
    <message>
        <source>The model's safety filter blocked the prompt, so there is no reply</source>
        <translation>Der Sicherheitsfilter des Modells hat den Prompt blockiert, daher gibt es keine Antwort</translation>
    </message>
    <message>
        <source>The model's safety filter stopped the reply, so there is nothing to send</source>
        <translation>Der Sicherheitsfilter des Modells hat die Antwort gestoppt, daher gibt es nichts zu senden</translation>
    </message>
    <message numerus="yes">
        <source>The model's service asks for a wait of %n s</source>
        <translation>
            <numerusform>Der Dienst des Modells bittet um %n s Wartezeit</numerusform>
            <numerusform>Der Dienst des Modells bittet um %n s Wartezeit</numerusform>
        </translation>
    </message>
    <message>
        <source>The next attempt follows automatically at {time}.</source>
        <translation>Der nächste Versuch folgt automatisch um {time}.</translation>
    </message>
    <message>
        <source>The next attempt follows automatically.</source>
        <translation>Der nächste Versuch folgt automatisch.</translation>
    </message>
    <message>
        <source>The plan is made once more; what comes of it will stand in this trace, too.</source>
        <translation>Der Plan wird noch einmal erstellt; was daraus wird, steht dann auch in diesem Ablauf.</translation>
    </message>
    <message>
        <source>The plan used up its model calls without a reply</source>
        <translation>Der Plan hat seine Modellaufrufe ohne Antwort verbraucht</translation>
    </message>
    <message>
        <source>The what-if brought no reply</source>
        <translation>Die Was-wäre-wenn-Anfrage brachte keine Antwort</translation>
    </message>
    <message>
        <source>There was no answer, and it was not in the chat. So it was sent again with the same number, of which Telegram takes only one. Chimein looks for it once more.</source>
        <translation>Es kam keine Antwort, und sie war nicht im Chat. Deshalb wurde sie mit derselben Nummer erneut gesendet; davon nimmt Telegram nur eine an. Chimein sucht sie noch einmal.</translation>
    </message>
    <message>
        <source>This attempt brought no plan</source>
        <translation>Dieser Versuch ergab keinen Plan</translation>
    </message>
    <message>
        <source>Turn into a draft</source>
        <translation>Zum Entwurf machen</translation>
    </message>
    <message>
        <source>Waits for a key that works</source>
        <translation>Wartet auf einen gültigen Schlüssel</translation>
    </message>
    <message>
        <source>Waits for your decision</source>
        <translation>Wartet auf Ihre Entscheidung</translation>
    </message>
    <message>
        <source>Waits until the account is online</source>
        <translation>Wartet, bis das Konto online ist</translation>
    </message>
</context>
<context>
    <name>TraceSide</name>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>All agents</source>
        <translation>Alle Agenten</translation>
    </message>
    <message>
        <source>All chats</source>
        <translation>Alle Chats</translation>
    </message>
    <message>
        <source>Any mark</source>
        <translation>Alle Merkmale</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Each plan will leave one here: what was read, asked, answered and decided.</source>
        <translation>Jeder Plan hinterlässt hier einen: was gelesen, gefragt, geantwortet und entschieden wurde.</translation>
    </message>
    <message>
        <source>Edited</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Expensive</source>
        <translation>Teuer</translation>
    </message>
    <message>
        <source>Filtered</source>
        <translation>Gefiltert</translation>
    </message>
    <message>
        <source>Further filter</source>
        <translation>Weiterer Filter</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Loading traces…</source>
        <translation>Abläufe werden geladen …</translation>
    </message>
    <message>
        <source>Needs you</source>
        <translation>Für Sie</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>Keine Probleme</translation>
    </message>
    <message>
        <source>No such traces</source>
        <translation>Keine solchen Abläufe</translation>
    </message>
    <message>
        <source>No traces yet</source>
        <translation>Noch keine Abläufe</translation>
    </message>
    <message>
        <source>No what-if runs yet</source>
        <translation>Noch keine Was-wäre-wenn-Läufe</translation>
    </message>
    <message>
        <source>Nothing waits for you</source>
        <translation>Nichts wartet auf Sie</translation>
    </message>
    <message>
        <source>Only {what}. Show all</source>
        <translation>Nur {what}. Alle zeigen</translation>
    </message>
    <message>
        <source>Plans that failed, or wait because of a fault, are listed here.</source>
        <translation>Hier stehen Pläne, die fehlgeschlagen sind oder wegen einer Störung warten.</translation>
    </message>
    <message>
        <source>Plans that need your decision are listed here.</source>
        <translation>Hier stehen Pläne, die Ihre Entscheidung brauchen.</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Rejected</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <source>Search and filter</source>
        <translation>Suchen und filtern</translation>
    </message>
    <message>
        <source>Search and filter. Only: {what}</source>
        <translation>Suchen und filtern. Nur: {what}</translation>
    </message>
    <message>
        <source>Search traces</source>
        <translation>Abläufe durchsuchen</translation>
    </message>
    <message>
        <source>Search: text, chat, address</source>
        <translation>Suchen: Text, Chat, Adresse</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <source>Show all traces</source>
        <translation>Alle Abläufe zeigen</translation>
    </message>
    <message>
        <source>Slow</source>
        <translation>Langsam</translation>
    </message>
    <message>
        <source>Traces</source>
        <translation>Abläufe</translation>
    </message>
    <message>
        <source>Traces can't be loaded. Nothing is lost.</source>
        <translation>Abläufe können nicht geladen werden. Nichts ist verloren.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Try another agent or chat, or other words.</source>
        <translation>Versuchen Sie einen anderen Agenten oder Chat oder andere Wörter.</translation>
    </message>
    <message>
        <source>What-if</source>
        <translation>Was-wäre-wenn</translation>
    </message>
    <message>
        <source>“Run as what-if” in an open trace makes one. Nothing of it is sent.</source>
        <translation>„Als Was-wäre-wenn“ in einem offenen Ablauf macht einen. Nichts davon wird gesendet.</translation>
    </message>
    <message>
        <source>“{words}”</source>
        <translation>„{words}“</translation>
    </message>
</context>
<context>
    <name>TraceSteps</name>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation>
            <numerusform>%n Block</numerusform>
            <numerusform>%n Blöcke</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>%n gefunden</numerusform>
            <numerusform>%n gefunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n Nachricht</numerusform>
            <numerusform>%n Nachrichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not read</source>
        <translation>
            <numerusform>%n nicht gelesen</numerusform>
            <numerusform>%n nicht gelesen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n page(s) in</source>
        <translation>
            <numerusform>%n Seite geholt</numerusform>
            <numerusform>%n Seiten geholt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n Problem</numerusform>
            <numerusform>%n Probleme</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n refused</source>
        <translation>
            <numerusform>%n abgelehnt</numerusform>
            <numerusform>%n abgelehnt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n timed out</source>
        <translation>
            <numerusform>%n ohne Antwort</numerusform>
            <numerusform>%n ohne Antwort</numerusform>
        </translation>
    </message>
    <message>
        <source>6to4 address</source>
        <translation>6to4-Adresse</translation>
    </message>
    <message>
        <source>Approval</source>
        <translation>Freigabe</translation>
    </message>
    <message>
        <source>Approval {n}</source>
        <translation>Freigabe {n}</translation>
    </message>
    <message>
        <source>Asked to wait</source>
        <translation>Bitte um Wartezeit</translation>
    </message>
    <message>
        <source>Attempt</source>
        <translation>Versuch</translation>
    </message>
    <message>
        <source>Attempt {n}</source>
        <translation>Versuch {n}</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Debounce</source>
        <translation>Sammeln</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>Einbettung</translation>
    </message>
    <message>
        <source>Enricher</source>
        <translation>Anreicherung</translation>
    </message>
    <message>
        <source>IPv4 address inside IPv6</source>
        <translation>IPv4-Adresse in IPv6</translation>
    </message>
    <message>
        <source>LLM call {n}</source>
        <translation>LLM-Aufruf {n}</translation>
    </message>
    <message>
        <source>Media descriptions</source>
        <translation>Medienbeschreibungen</translation>
    </message>
    <message>
        <source>Memories</source>
        <translation>Erinnerungen</translation>
    </message>
    <message>
        <source>Memories by meaning</source>
        <translation>Erinnerungen nach Bedeutung</translation>
    </message>
    <message>
        <source>Missing history</source>
        <translation>Fehlender Verlauf</translation>
    </message>
    <message>
        <source>Model call</source>
        <translation>Modellaufruf</translation>
    </message>
    <message>
        <source>NAT64 address</source>
        <translation>NAT64-Adresse</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Parse</source>
        <translation>Lesen der Antwort</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Repair</source>
        <translation>Korrektur</translation>
    </message>
    <message>
        <source>Retrieve</source>
        <translation>Abruf</translation>
    </message>
    <message>
        <source>Retrieve · round {n}</source>
        <translation>Abruf · Runde {n}</translation>
    </message>
    <message>
        <source>Second choice of context</source>
        <translation>Zweite Kontextwahl</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Send {n}</source>
        <translation>Senden {n}</translation>
    </message>
    <message>
        <source>Telegram asks to wait {time}</source>
        <translation>Telegram bittet, {time} zu warten</translation>
    </message>
    <message>
        <source>Teredo address</source>
        <translation>Teredo-Adresse</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>Werkzeug</translation>
    </message>
    <message>
        <source>Tool · {name}</source>
        <translation>Werkzeug · {name}</translation>
    </message>
    <message>
        <source>Typing</source>
        <translation>Tippen</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>Wartezeit</translation>
    </message>
    <message>
        <source>address of this computer</source>
        <translation>Adresse dieses Rechners</translation>
    </message>
    <message>
        <source>approved by you</source>
        <translation>von Ihnen freigegeben</translation>
    </message>
    <message>
        <source>approved with an edit by you</source>
        <translation>von Ihnen geändert freigegeben</translation>
    </message>
    <message>
        <source>asked for by the model's service</source>
        <translation>vom Dienst des Modells verlangt</translation>
    </message>
    <message>
        <source>asks for {tools}</source>
        <translation>fragt nach {tools}</translation>
    </message>
    <message>
        <source>broken answer</source>
        <translation>fehlerhafte Antwort</translation>
    </message>
    <message>
        <source>brought no plan</source>
        <translation>brachte keinen Plan</translation>
    </message>
    <message>
        <source>cancelled with its plan</source>
        <translation>mit dem Plan abgebrochen</translation>
    </message>
    <message>
        <source>certificate not valid</source>
        <translation>Zertifikat ungültig</translation>
    </message>
    <message>
        <source>cut at {n}</source>
        <translation>gekürzt auf {n}</translation>
    </message>
    <message>
        <source>cut off: {reason}</source>
        <translation>abgeschnitten: {reason}</translation>
    </message>
    <message>
        <source>denied in the agent's file</source>
        <translation>in der Datei des Agenten verboten</translation>
    </message>
    <message>
        <source>discarded</source>
        <translation>verworfen</translation>
    </message>
    <message>
        <source>error of the host</source>
        <translation>Fehler des Servers</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>failed: {why}</source>
        <translation>fehlgeschlagen: {why}</translation>
    </message>
    <message>
        <source>for a key that works</source>
        <translation>auf einen gültigen Schlüssel</translation>
    </message>
    <message>
        <source>for attempt {n}</source>
        <translation>auf Versuch {n}</translation>
    </message>
    <message>
        <source>for the cap on costs</source>
        <translation>wegen der Kostengrenze</translation>
    </message>
    <message>
        <source>from the cache</source>
        <translation>aus dem Cache</translation>
    </message>
    <message>
        <source>host asked too often</source>
        <translation>Server zu oft gefragt</translation>
    </message>
    <message>
        <source>host not reached</source>
        <translation>Server nicht erreicht</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>unterbrochen</translation>
    </message>
    <message>
        <source>link-local address</source>
        <translation>Link-lokale Adresse</translation>
    </message>
    <message>
        <source>local name</source>
        <translation>lokaler Name</translation>
    </message>
    <message>
        <source>metadata service</source>
        <translation>Metadatendienst</translation>
    </message>
    <message>
        <source>multicast address</source>
        <translation>Multicast-Adresse</translation>
    </message>
    <message>
        <source>neither http nor https</source>
        <translation>weder http noch https</translation>
    </message>
    <message>
        <source>no answer in time</source>
        <translation>keine Antwort in der Zeit</translation>
    </message>
    <message>
        <source>no such host</source>
        <translation>unbekannter Server</translation>
    </message>
    <message>
        <source>no text on the page</source>
        <translation>kein Text auf der Seite</translation>
    </message>
    <message>
        <source>not a web page</source>
        <translation>keine Webseite</translation>
    </message>
    <message>
        <source>not allowed in the agent's file</source>
        <translation>in der Datei des Agenten nicht erlaubt</translation>
    </message>
    <message>
        <source>not complete</source>
        <translation>nicht vollständig</translation>
    </message>
    <message>
        <source>not known whether it arrived</source>
        <translation>unbekannt, ob sie angekommen ist</translation>
    </message>
    <message>
        <source>not readable as an address</source>
        <translation>nicht als Adresse lesbar</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>nicht gesendet</translation>
    </message>
    <message>
        <source>not sent yet</source>
        <translation>noch nicht gesendet</translation>
    </message>
    <message>
        <source>not sent: {why}</source>
        <translation>nicht gesendet: {why}</translation>
    </message>
    <message>
        <source>over {size}</source>
        <translation>über {size}</translation>
    </message>
    <message>
        <source>passed by a rule</source>
        <translation>durch eine Regel freigegeben</translation>
    </message>
    <message>
        <source>port of another service</source>
        <translation>Port eines anderen Dienstes</translation>
    </message>
    <message>
        <source>postponed by you</source>
        <translation>von Ihnen verschoben</translation>
    </message>
    <message>
        <source>private address</source>
        <translation>private Adresse</translation>
    </message>
    <message>
        <source>redirect from https to http</source>
        <translation>Weiterleitung von https auf http</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>refused: {rule}</source>
        <translation>abgelehnt: {rule}</translation>
    </message>
    <message>
        <source>rejected by you</source>
        <translation>von Ihnen abgelehnt</translation>
    </message>
    <message>
        <source>rejected with its plan</source>
        <translation>mit dem Plan abgelehnt</translation>
    </message>
    <message>
        <source>reserved address</source>
        <translation>reservierte Adresse</translation>
    </message>
    <message>
        <source>robots.txt of the host</source>
        <translation>robots.txt des Servers</translation>
    </message>
    <message>
        <source>shared address of a carrier</source>
        <translation>geteilte Adresse eines Anbieters</translation>
    </message>
    <message>
        <source>text not readable</source>
        <translation>Text nicht lesbar</translation>
    </message>
    <message>
        <source>tokens {tokens}</source>
        <translation>Tokens {tokens}</translation>
    </message>
    <message>
        <source>too late</source>
        <translation>zu spät</translation>
    </message>
    <message>
        <source>too many addresses at once</source>
        <translation>zu viele Adressen auf einmal</translation>
    </message>
    <message>
        <source>too many redirects</source>
        <translation>zu viele Weiterleitungen</translation>
    </message>
    <message>
        <source>took too long, left out</source>
        <translation>dauerte zu lange, weggelassen</translation>
    </message>
    <message>
        <source>under way</source>
        <translation>in Arbeit</translation>
    </message>
    <message>
        <source>unspecified address</source>
        <translation>unbestimmte Adresse</translation>
    </message>
    <message>
        <source>unusual form of a number</source>
        <translation>ungewöhnliche Schreibweise einer Zahl</translation>
    </message>
    <message>
        <source>user name before the host</source>
        <translation>Benutzername vor dem Server</translation>
    </message>
    <message>
        <source>waiting for you</source>
        <translation>wartet auf Sie</translation>
    </message>
    <message>
        <source>waits for the account</source>
        <translation>wartet auf das Konto</translation>
    </message>
    <message>
        <source>without web pages</source>
        <translation>ohne Webseiten</translation>
    </message>
    <message>
        <source>{call}, after this look-up</source>
        <translation>{call}, nach diesem Abruf</translation>
    </message>
    <message>
        <source>{call}, before this look-up</source>
        <translation>{call}, vor diesem Abruf</translation>
    </message>
    <message>
        <source>{call}, which got this page</source>
        <translation>{call}, der diese Seite bekam</translation>
    </message>
    <message numerus="yes">
        <source>{done} of %n sent</source>
        <translation>
            <numerusform>{done} von %n gesendet</numerusform>
            <numerusform>{done} von %n gesendet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{held} of %n message(s)</source>
        <translation>
            <numerusform>{held} von %n Nachricht</numerusform>
            <numerusform>{held} von %n Nachrichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{sections} sections, %n turn(s)</source>
        <translation>
            <numerusform>{sections} Abschnitte, %n Beitrag</numerusform>
            <numerusform>{sections} Abschnitte, %n Beiträge</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TraceUsage</name>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n Aufruf</numerusform>
            <numerusform>%n Aufrufe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n without a price</source>
        <translation>
            <numerusform>%n ohne Preis</numerusform>
            <numerusform>%n ohne Preis</numerusform>
        </translation>
    </message>
    <message>
        <source>no price known</source>
        <translation>kein Preis bekannt</translation>
    </message>
    <message>
        <source>{n} ({percent} %)</source>
        <translation>{n} ({percent} %)</translation>
    </message>
    <message>
        <source>{tokens_in} tokens in (of which {cached} cached), {tokens_out} out</source>
        <translation>{tokens_in} Tokens hinein (davon {cached} aus dem Cache), {tokens_out} heraus</translation>
    </message>
    <message>
        <source>{tokens_in} tokens in, {tokens_out} out</source>
        <translation>{tokens_in} Tokens hinein, {tokens_out} heraus</translation>
    </message>
</context>
<context>
    <name>Traces</name>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n Aufruf</numerusform>
            <numerusform>%n Aufrufe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n kept for good</source>
        <translation>
            <numerusform>%n dauerhaft behalten</numerusform>
            <numerusform>%n dauerhaft behalten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n page(s)</source>
        <translation>
            <numerusform>%n Seite</numerusform>
            <numerusform>%n Seiten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n trace(s) stored</source>
        <translation>
            <numerusform>%n Ablauf gespeichert</numerusform>
            <numerusform>%n Abläufe gespeichert</numerusform>
        </translation>
    </message>
    <message>
        <source>Answered meanwhile</source>
        <translation>Inzwischen beantwortet</translation>
    </message>
    <message>
        <source>Approved</source>
        <translation>Freigegeben</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>No answer</source>
        <translation>Keine Antwort</translation>
    </message>
    <message>
        <source>Observed</source>
        <translation>Beobachtet</translation>
    </message>
    <message>
        <source>Other version</source>
        <translation>Andere Fassung</translation>
    </message>
    <message>
        <source>Outcome unknown</source>
        <translation>Ausgang unbekannt</translation>
    </message>
    <message>
        <source>Paused by a cap</source>
        <translation>Wegen Kostengrenze angehalten</translation>
    </message>
    <message>
        <source>Plan {number}</source>
        <translation>Plan {number}</translation>
    </message>
    <message>
        <source>Postponed</source>
        <translation>Verschoben</translation>
    </message>
    <message>
        <source>Refused by the model</source>
        <translation>Vom Modell abgelehnt</translation>
    </message>
    <message>
        <source>Rejected</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <source>Replaced</source>
        <translation>Ersetzt</translation>
    </message>
    <message>
        <source>Sending</source>
        <translation>Wird gesendet</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>Gesendet</translation>
    </message>
    <message>
        <source>Sent, edited</source>
        <translation>Gesendet, geändert</translation>
    </message>
    <message>
        <source>Show trace</source>
        <translation>Trace zeigen</translation>
    </message>
    <message>
        <source>Started over</source>
        <translation>Neu begonnen</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message numerus="yes">
        <source>Stored for %n day(s)</source>
        <translation>
            <numerusform>%n Tag lang gespeichert</numerusform>
            <numerusform>%n Tage lang gespeichert</numerusform>
        </translation>
    </message>
    <message>
        <source>Trace {number}</source>
        <translation>Ablauf {number}</translation>
    </message>
    <message>
        <source>Waiting for you</source>
        <translation>Wartet auf Sie</translation>
    </message>
    <message>
        <source>Waiting {time}</source>
        <translation>Wartet {time}</translation>
    </message>
    <message>
        <source>Waits for the account</source>
        <translation>Wartet auf das Konto</translation>
    </message>
    <message>
        <source>Waits for the key</source>
        <translation>Wartet auf den Schlüssel</translation>
    </message>
    <message>
        <source>What-if</source>
        <translation>Was-wäre-wenn</translation>
    </message>
    <message>
        <source>What-if failed</source>
        <translation>Was-wäre-wenn fehlgeschlagen</translation>
    </message>
    <message>
        <source>What-if refused</source>
        <translation>Was-wäre-wenn abgelehnt</translation>
    </message>
    <message>
        <source>What-if {number}</source>
        <translation>Was-wäre-wenn {number}</translation>
    </message>
    <message>
        <source>Will be tried again</source>
        <translation>Neuer Versuch folgt</translation>
    </message>
    <message>
        <source>at most {n} GB</source>
        <translation>höchstens {n} GB</translation>
    </message>
    <message>
        <source>dry runs</source>
        <translation>Probeläufe</translation>
    </message>
    <message>
        <source>from message to last send</source>
        <translation>von der Nachricht bis zum letzten Senden</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>behalten</translation>
    </message>
    <message>
        <source>no price</source>
        <translation>kein Preis</translation>
    </message>
    <message>
        <source>of it working</source>
        <translation>davon Arbeit</translation>
    </message>
    <message>
        <source>other versions</source>
        <translation>andere Fassungen</translation>
    </message>
    <message>
        <source>plans</source>
        <translation>Pläne</translation>
    </message>
    <message>
        <source>retrieved</source>
        <translation>nachgeschlagen</translation>
    </message>
    <message>
        <source>tokens in / out</source>
        <translation>Tokens hinein / heraus</translation>
    </message>
    <message>
        <source>waiting for you</source>
        <translation>Warten auf Sie</translation>
    </message>
    <message>
        <source>waiting, postponed by you</source>
        <translation>Warten, von Ihnen verschoben</translation>
    </message>
    <message>
        <source>working</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>{agent} to {chat}</source>
        <translation>{agent} an {chat}</translation>
    </message>
    <message>
        <source>{first} to {last}</source>
        <translation>{first} bis {last}</translation>
    </message>
    <message>
        <source>{h} h {m} min</source>
        <translation>{h} h {m} min</translation>
    </message>
    <message>
        <source>{m} min {s} s</source>
        <translation>{m} min {s} s</translation>
    </message>
    <message>
        <source>{n} ms</source>
        <translation>{n} ms</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} s</translation>
    </message>
</context>
<context>
    <name>TracesPane</name>
    <message>
        <source>Choose a plan to see how it came about.</source>
        <translation>Wählen Sie einen Plan, um zu sehen, wie er zustande kam.</translation>
    </message>
    <message>
        <source>Here you see how a plan came about.</source>
        <translation>Hier sehen Sie, wie ein Plan zustande kam.</translation>
    </message>
    <message>
        <source>It has none any more, or none yet. Choose another plan in the list.</source>
        <translation>Er hat keinen mehr oder noch keinen. Wählen Sie in der Liste einen anderen Plan.</translation>
    </message>
    <message>
        <source>It was deleted: for its age, because traces took up too much room, or with its chat. Preferences set how long traces are kept. “Keep this trace” in the menu of a trace keeps it for good.</source>
        <translation>Er wurde gelöscht: wegen seines Alters, weil die Abläufe zu viel Platz brauchten, oder mit seinem Chat. Wie lange Abläufe aufbewahrt werden, legen die Einstellungen fest. „Diesen Ablauf behalten“ im Menü eines Ablaufs behält ihn für immer.</translation>
    </message>
    <message>
        <source>Loading the trace…</source>
        <translation>Der Ablauf wird geladen …</translation>
    </message>
    <message>
        <source>No trace is open</source>
        <translation>Kein Ablauf ist offen</translation>
    </message>
    <message>
        <source>Open preferences</source>
        <translation>Einstellungen öffnen</translation>
    </message>
    <message>
        <source>This plan has no trace</source>
        <translation>Dieser Plan hat keinen Ablauf</translation>
    </message>
    <message>
        <source>This trace can't be loaded. Nothing is lost.</source>
        <translation>Dieser Ablauf kann nicht geladen werden. Nichts ist verloren.</translation>
    </message>
    <message>
        <source>This trace is gone</source>
        <translation>Dieser Ablauf ist fort</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>edit</source>
        <translation>bearbeiten</translation>
    </message>
    <message>
        <source>into the steps</source>
        <translation>in die Schritte</translation>
    </message>
    <message>
        <source>plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>plan again</source>
        <translation>neu planen</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>search</source>
        <translation>suchen</translation>
    </message>
    <message>
        <source>tab</source>
        <translation>Reiter</translation>
    </message>
</context>
<context>
    <name>TranscriptLines</name>
    <message>
        <source>Unread messages</source>
        <translation>Ungelesene Nachrichten</translation>
    </message>
</context>
<context>
    <name>TranscriptMenu</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy link {link}</source>
        <translation>Link {link} kopieren</translation>
    </message>
    <message>
        <source>Delete for everyone…</source>
        <translation>Für alle löschen …</translation>
    </message>
    <message>
        <source>Description of file {number}…</source>
        <translation>Beschreibung der Datei {number}…</translation>
    </message>
    <message>
        <source>Description…</source>
        <translation>Beschreibung …</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten …</translation>
    </message>
    <message>
        <source>Go to the original message</source>
        <translation>Zur ursprünglichen Nachricht</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open {link}</source>
        <translation>{link} öffnen</translation>
    </message>
    <message>
        <source>Read, with details…</source>
        <translation>Lesen, mit Details…</translation>
    </message>
    <message>
        <source>Reply…</source>
        <translation>Antworten …</translation>
    </message>
    <message>
        <source>Show in the plan</source>
        <translation>Im Plan zeigen</translation>
    </message>
    <message>
        <source>Show what is hidden</source>
        <translation>Verborgenes zeigen</translation>
    </message>
    <message>
        <source>Take back the memory</source>
        <translation>Gemerktes zurücknehmen</translation>
    </message>
</context>
<context>
    <name>TranscriptScroll</name>
    <message>
        <source>This message is not stored here</source>
        <translation>Diese Nachricht ist hier nicht gespeichert</translation>
    </message>
</context>
<context>
    <name>TranscriptSearchBar</name>
    <message>
        <source>Close search</source>
        <translation>Suche schließen</translation>
    </message>
    <message>
        <source>Earlier result</source>
        <translation>Früherer Treffer</translation>
    </message>
    <message>
        <source>Later result</source>
        <translation>Späterer Treffer</translation>
    </message>
    <message>
        <source>No earlier results</source>
        <translation>Keine früheren Treffer</translation>
    </message>
    <message>
        <source>No later results</source>
        <translation>Keine späteren Treffer</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>Search in this chat</source>
        <translation>In diesem Chat suchen</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Sucht …</translation>
    </message>
    <message>
        <source>{n} of {all}</source>
        <translation>{n} von {all}</translation>
    </message>
    <message>
        <source>{n}+</source>
        <translation>{n}+</translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Not opened: {link}</source>
        <translation>Nicht geöffnet: {link}</translation>
    </message>
</context>
<context>
    <name>TranscriptWords</name>
    <message>
        <source>(hidden)</source>
        <translation>(verborgen)</translation>
    </message>
    <message>
        <source>Album of {n}</source>
        <translation>Album mit {n}</translation>
    </message>
    <message>
        <source>Alt and Return: read word by word</source>
        <translation>Alt und Eingabe: Wort für Wort lesen</translation>
    </message>
    <message>
        <source>Someone</source>
        <translation>Jemand</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>blockiert</translation>
    </message>
    <message>
        <source>cleared the conversation</source>
        <translation>Gespräch geleert</translation>
    </message>
    <message>
        <source>completed a step</source>
        <translation>Schritt ausgeführt</translation>
    </message>
    <message>
        <source>could not block</source>
        <translation>Blockieren fehlgeschlagen</translation>
    </message>
    <message>
        <source>could not clear the conversation</source>
        <translation>Leeren des Gesprächs fehlgeschlagen</translation>
    </message>
    <message>
        <source>could not complete a step</source>
        <translation>Schritt fehlgeschlagen</translation>
    </message>
    <message>
        <source>could not send a message</source>
        <translation>Nachricht fehlgeschlagen</translation>
    </message>
    <message>
        <source>could not send a sticker</source>
        <translation>Sticker fehlgeschlagen</translation>
    </message>
    <message>
        <source>could not stop the agent</source>
        <translation>Stoppen des Agenten fehlgeschlagen</translation>
    </message>
    <message>
        <source>could not unblock</source>
        <translation>Aufheben der Blockierung fehlgeschlagen</translation>
    </message>
    <message>
        <source>did not wait</source>
        <translation>nicht gewartet</translation>
    </message>
    <message>
        <source>dropped a block</source>
        <translation>Blockieren: verworfen</translation>
    </message>
    <message>
        <source>dropped a message</source>
        <translation>Nachricht: verworfen</translation>
    </message>
    <message>
        <source>dropped a step</source>
        <translation>Schritt: verworfen</translation>
    </message>
    <message>
        <source>dropped a sticker</source>
        <translation>Sticker: verworfen</translation>
    </message>
    <message>
        <source>dropped an unblock</source>
        <translation>Aufheben der Blockierung: verworfen</translation>
    </message>
    <message>
        <source>dropped clearing the conversation</source>
        <translation>Leeren des Gesprächs: verworfen</translation>
    </message>
    <message>
        <source>dropped stopping the agent</source>
        <translation>Stoppen des Agenten: verworfen</translation>
    </message>
    <message>
        <source>dropped the plan</source>
        <translation>Plan verworfen</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>bearbeitet</translation>
    </message>
    <message>
        <source>forwarded</source>
        <translation>weitergeleitet</translation>
    </message>
    <message>
        <source>forwarded from {who}</source>
        <translation>weitergeleitet von {who}</translation>
    </message>
    <message>
        <source>in reply to a deleted message</source>
        <translation>als Antwort auf eine gelöschte Nachricht</translation>
    </message>
    <message>
        <source>in reply to {text}</source>
        <translation>als Antwort auf {text}</translation>
    </message>
    <message>
        <source>only observed a block</source>
        <translation>Blockieren: nur beobachtet</translation>
    </message>
    <message>
        <source>only observed a message</source>
        <translation>Nachricht: nur beobachtet</translation>
    </message>
    <message>
        <source>only observed a step</source>
        <translation>Schritt: nur beobachtet</translation>
    </message>
    <message>
        <source>only observed a sticker</source>
        <translation>Sticker: nur beobachtet</translation>
    </message>
    <message>
        <source>only observed an unblock</source>
        <translation>Aufheben der Blockierung: nur beobachtet</translation>
    </message>
    <message>
        <source>only observed clearing the conversation</source>
        <translation>Leeren des Gesprächs: nur beobachtet</translation>
    </message>
    <message>
        <source>only observed stopping the agent</source>
        <translation>Stoppen des Agenten: nur beobachtet</translation>
    </message>
    <message>
        <source>planned</source>
        <translation>geplant</translation>
    </message>
    <message>
        <source>planned a block</source>
        <translation>Blockieren: geplant</translation>
    </message>
    <message>
        <source>planned a message</source>
        <translation>Nachricht: geplant</translation>
    </message>
    <message>
        <source>planned a step</source>
        <translation>Schritt: geplant</translation>
    </message>
    <message>
        <source>planned a sticker</source>
        <translation>Sticker: geplant</translation>
    </message>
    <message>
        <source>planned an unblock</source>
        <translation>Aufheben der Blockierung: geplant</translation>
    </message>
    <message>
        <source>planned clearing the conversation</source>
        <translation>Leeren des Gesprächs: geplant</translation>
    </message>
    <message>
        <source>planned nothing to send</source>
        <translation>nichts zu senden geplant</translation>
    </message>
    <message>
        <source>planned stopping the agent</source>
        <translation>Stoppen des Agenten: geplant</translation>
    </message>
    <message>
        <source>planned, not sent</source>
        <translation>geplant, nicht gesendet</translation>
    </message>
    <message>
        <source>reactions {each}</source>
        <translation>Reaktionen {each}</translation>
    </message>
    <message>
        <source>read</source>
        <translation>gelesen</translation>
    </message>
    <message>
        <source>rejected a block</source>
        <translation>Blockieren: abgelehnt</translation>
    </message>
    <message>
        <source>rejected a message</source>
        <translation>Nachricht: abgelehnt</translation>
    </message>
    <message>
        <source>rejected a step</source>
        <translation>Schritt: abgelehnt</translation>
    </message>
    <message>
        <source>rejected a sticker</source>
        <translation>Sticker: abgelehnt</translation>
    </message>
    <message>
        <source>rejected an unblock</source>
        <translation>Aufheben der Blockierung: abgelehnt</translation>
    </message>
    <message>
        <source>rejected clearing the conversation</source>
        <translation>Leeren des Gesprächs: abgelehnt</translation>
    </message>
    <message>
        <source>rejected stopping the agent</source>
        <translation>Stoppen des Agenten: abgelehnt</translation>
    </message>
    <message>
        <source>remembered</source>
        <translation>gemerkt</translation>
    </message>
    <message>
        <source>sent</source>
        <translation>gesendet</translation>
    </message>
    <message>
        <source>sent a message</source>
        <translation>Nachricht gesendet</translation>
    </message>
    <message>
        <source>sent a sticker</source>
        <translation>Sticker gesendet</translation>
    </message>
    <message>
        <source>stopped planning</source>
        <translation>Planen aufgegeben</translation>
    </message>
    <message>
        <source>stopped the agent</source>
        <translation>Agent gestoppt</translation>
    </message>
    <message>
        <source>stopped waiting</source>
        <translation>Warten beendet</translation>
    </message>
    <message>
        <source>unblocked</source>
        <translation>Blockierung aufgehoben</translation>
    </message>
    <message>
        <source>unread from here on</source>
        <translation>ungelesen ab hier</translation>
    </message>
    <message>
        <source>waited</source>
        <translation>gewartet</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
</context>
<context>
    <name>TrayIcon</name>
    <message numerus="yes">
        <source>%n messages wait</source>
        <translation>
            <numerusform>%n Nachricht wartet</numerusform>
            <numerusform>%n Nachrichten warten</numerusform>
        </translation>
    </message>
    <message>
        <source>1 message waits</source>
        <translation>1 Nachricht wartet</translation>
    </message>
    <message>
        <source>Everything is held.</source>
        <translation>Alles ist angehalten.</translation>
    </message>
    <message>
        <source>Hold everything</source>
        <translation>Alles anhalten</translation>
    </message>
    <message>
        <source>Nothing to approve</source>
        <translation>Nichts freizugeben</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Release…</source>
        <translation>Anhalten aufheben …</translation>
    </message>
    <message>
        <source>{name}: {waits}. {state}</source>
        <translation>{name}: {waits}. {state}</translation>
    </message>
</context>
<context>
    <name>TriagePage</name>
    <message numerus="yes">
        <source>%n description(s) accepted.</source>
        <translation>
            <numerusform>%n Beschreibung angenommen.</numerusform>
            <numerusform>%n Beschreibungen angenommen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) still need a look.</source>
        <translation>
            <numerusform>%n Datei ist noch durchzusehen.</numerusform>
            <numerusform>%n Dateien sind noch durchzusehen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>Annehmen</translation>
    </message>
    <message>
        <source>Again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>All done</source>
        <translation>Alles erledigt</translation>
    </message>
    <message>
        <source>Back to the grid</source>
        <translation>Zurück zum Raster</translation>
    </message>
    <message>
        <source>Curated text</source>
        <translation>Kuratierter Text</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>End of the list</source>
        <translation>Ende der Liste</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>Verlassen</translation>
    </message>
    <message>
        <source>No text yet. Write one with E, or ask the model with R.</source>
        <translation>Noch kein Text. Schreiben Sie einen mit E, oder fragen Sie das Modell mit R.</translation>
    </message>
    <message>
        <source>Nothing was accepted yet.</source>
        <translation>Noch wurde nichts angenommen.</translation>
    </message>
    <message>
        <source>Phrase</source>
        <translation>Textbaustein</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Save as phrase</source>
        <translation>Als Textbaustein sichern</translation>
    </message>
    <message>
        <source>Saved phrases stand here, each with its key from 1 to 9.</source>
        <translation>Gesicherte Textbausteine stehen hier, jeder mit seiner Taste von 1 bis 9.</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>Skip, back</source>
        <translation>Überspringen, zurück</translation>
    </message>
    <message>
        <source>Stop editing</source>
        <translation>Bearbeiten beenden</translation>
    </message>
    <message>
        <source>The model is asked…</source>
        <translation>Das Modell wird gefragt …</translation>
    </message>
    <message>
        <source>There is no text yet.</source>
        <translation>Es gibt noch keinen Text.</translation>
    </message>
    <message>
        <source>Triage</source>
        <translation>Durchsicht</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>{place} of {count}</source>
        <translation>{place} von {count}</translation>
    </message>
</context>
<context>
    <name>TriggerCard</name>
    <message>
        <source>Trigger</source>
        <translation>Auslöser</translation>
    </message>
    <message>
        <source>Trigger: {who}. {text}</source>
        <translation>Auslöser: {who}. {text}</translation>
    </message>
</context>
<context>
    <name>TriggeredList</name>
    <message>
        <source>Log, newest first</source>
        <translation>Protokoll, neueste zuerst</translation>
    </message>
</context>
<context>
    <name>Trust</name>
    <message>
        <source>Agent's default</source>
        <translation>Standard des Agenten</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Automatik</translation>
    </message>
    <message>
        <source>Auto for 1 hour</source>
        <translation>Automatik für 1 Stunde</translation>
    </message>
    <message>
        <source>Auto: send without asking</source>
        <translation>Automatik: ohne Rückfrage senden</translation>
    </message>
    <message>
        <source>Countdown</source>
        <translation>Countdown</translation>
    </message>
    <message>
        <source>Countdown: send after {n} s unless you stop it</source>
        <translation>Countdown: nach {n} s senden, falls Sie nicht stoppen</translation>
    </message>
    <message>
        <source>Observe</source>
        <translation>Beobachten</translation>
    </message>
    <message>
        <source>Observe: plan, send nothing</source>
        <translation>Beobachten: planen, nichts senden</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Off: don't plan</source>
        <translation>Aus: nicht planen</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Review: messages wait for you</source>
        <translation>Prüfen: Nachrichten warten auf Sie</translation>
    </message>
    <message>
        <source>Trust of {who}</source>
        <translation>Vertrauen für {who}</translation>
    </message>
</context>
<context>
    <name>Upcoming</name>
    <message>
        <source>After the step before it</source>
        <translation>Nach dem Schritt davor</translation>
    </message>
    <message>
        <source>After your decision</source>
        <translation>Nach Ihrer Entscheidung</translation>
    </message>
    <message>
        <source>Asks you</source>
        <translation>Fragt Sie</translation>
    </message>
    <message>
        <source>Being sent</source>
        <translation>Wird gesendet</translation>
    </message>
    <message>
        <source>Held by you</source>
        <translation>Von Ihnen angehalten</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>Needs you</source>
        <translation>Für Sie</translation>
    </message>
    <message>
        <source>Next minutes</source>
        <translation>In den nächsten Minuten</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Quiet hours until {time}</source>
        <translation>Ruhezeiten bis {time}</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Sends automatically</source>
        <translation>Wird automatisch gesendet</translation>
    </message>
    <message>
        <source>Sends unless you stop it</source>
        <translation>Wird gesendet, wenn Sie nicht stoppen</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Telegram asks for a wait</source>
        <translation>Telegram verlangt eine Pause</translation>
    </message>
    <message>
        <source>You took over; the agent waits until {time}.</source>
        <translation>Sie haben übernommen; der Agent wartet bis {time}.</translation>
    </message>
    <message>
        <source>block</source>
        <translation>Blockieren</translation>
    </message>
    <message>
        <source>clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>in {time}</source>
        <translation>in {time}</translation>
    </message>
    <message>
        <source>message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>sticker</source>
        <translation>Sticker</translation>
    </message>
    <message>
        <source>stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>unblock</source>
        <translation>Freigeben</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>waiting {age}</source>
        <translation>seit {age}</translation>
    </message>
    <message>
        <source>{agent}, folded, chats: {n}</source>
        <translation>{agent}, eingeklappt, Chats: {n}</translation>
    </message>
    <message>
        <source>{chat}, {agent}</source>
        <translation>{chat}, {agent}</translation>
    </message>
</context>
<context>
    <name>UpcomingList</name>
    <message>
        <source>What happens next</source>
        <translation>Was als Nächstes geschieht</translation>
    </message>
</context>
<context>
    <name>UpcomingPane</name>
    <message>
        <source>15 min</source>
        <translation>15 min</translation>
    </message>
    <message>
        <source>2 h</source>
        <translation>2 h</translation>
    </message>
    <message>
        <source>Ask you later: {n}</source>
        <translation>Fragen Sie später: {n}</translation>
    </message>
    <message>
        <source>Ask you: {n}</source>
        <translation>Fragen Sie: {n}</translation>
    </message>
    <message>
        <source>By agent</source>
        <translation>Nach Agent</translation>
    </message>
    <message>
        <source>By chat</source>
        <translation>Nach Chat</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Continue automatically: {n}</source>
        <translation>Automatisch weiter: {n}</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>Tag</translation>
    </message>
    <message>
        <source>Decide</source>
        <translation>Entscheiden</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>Darstellung</translation>
    </message>
    <message>
        <source>Held by you: {n}</source>
        <translation>Von Ihnen angehalten: {n}</translation>
    </message>
    <message>
        <source>Hold everything</source>
        <translation>Alles anhalten</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>Spuren</translation>
    </message>
    <message>
        <source>List</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>Nothing is planned</source>
        <translation>Nichts ist geplant</translation>
    </message>
    <message>
        <source>Open step</source>
        <translation>Schritt öffnen</translation>
    </message>
    <message>
        <source>Send unless you stop them: {n}</source>
        <translation>Werden gesendet, wenn Sie nicht stoppen: {n}</translation>
    </message>
    <message>
        <source>Step, or fold</source>
        <translation>Schritt, oder einklappen</translation>
    </message>
    <message>
        <source>Stopped: {n}</source>
        <translation>Angehalten: {n}</translation>
    </message>
    <message>
        <source>Time line</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Time shown</source>
        <translation>Gezeigte Zeit</translation>
    </message>
    <message>
        <source>When an agent plans an answer in any chat, its steps are shown here with their times.</source>
        <translation>Wenn ein Agent in irgendeinem Chat eine Antwort plant, stehen ihre Schritte hier mit ihren Zeiten.</translation>
    </message>
    <message>
        <source>all chats</source>
        <translation>alle Chats</translation>
    </message>
</context>
<context>
    <name>Uploading</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Uploading, {n} %</source>
        <translation>Wird hochgeladen, {n} %</translation>
    </message>
</context>
<context>
    <name>UsageTab</name>
    <message>
        <source>Cached</source>
        <translation>Aus dem Cache</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Model calls</source>
        <translation>Modellaufrufe</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Reply</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>Nachdenken</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
</context>
<context>
    <name>VariantsRow</name>
    <message numerus="yes">
        <source>%n word(s) longer</source>
        <translation>
            <numerusform>%n Wort länger</numerusform>
            <numerusform>%n Wörter länger</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n word(s) shorter</source>
        <translation>
            <numerusform>%n Wort kürzer</numerusform>
            <numerusform>%n Wörter kürzer</numerusform>
        </translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>Use this one</source>
        <translation>Diese verwenden</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>Versionen</translation>
    </message>
    <message>
        <source>another version</source>
        <translation>andere Version</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>same length</source>
        <translation>gleich lang</translation>
    </message>
    <message>
        <source>← → look at the versions</source>
        <translation>← → Versionen ansehen</translation>
    </message>
</context>
<context>
    <name>VersionColumn</name>
    <message>
        <source>In use</source>
        <translation>Aktuell</translation>
    </message>
    <message>
        <source>Keep this one</source>
        <translation>Diese behalten</translation>
    </message>
    <message>
        <source>Use this one</source>
        <translation>Diese verwenden</translation>
    </message>
    <message>
        <source>Version {n} of {all}: {title}</source>
        <translation>Version {n} von {all}: {title}</translation>
    </message>
    <message>
        <source>differs in: {words}</source>
        <translation>unterscheidet sich in: {words}</translation>
    </message>
    <message>
        <source>{version}, in use</source>
        <translation>{version}, in Verwendung</translation>
    </message>
</context>
<context>
    <name>VersionView</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Restore this version</source>
        <translation>Diese Version wiederherstellen</translation>
    </message>
    <message>
        <source>The file is like this now</source>
        <translation>Die Datei ist jetzt so</translation>
    </message>
    <message>
        <source>Version of {time}, {change}</source>
        <translation>Version von {time}, {change}</translation>
    </message>
</context>
<context>
    <name>VersionsView</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Different words are marked. Press a number to use that version.</source>
        <translation>Unterschiede sind markiert. Eine Ziffer übernimmt die Version.</translation>
    </message>
    <message>
        <source>It was not fully in view. Read it to the end, then choose it again.</source>
        <translation>Sie war nicht ganz zu sehen. Bitte bis zum Ende lesen und noch einmal wählen.</translation>
    </message>
    <message>
        <source>Show the next version</source>
        <translation>Die nächste Version zeigen</translation>
    </message>
    <message>
        <source>Show the previous version</source>
        <translation>Die vorige Version zeigen</translation>
    </message>
    <message>
        <source>Versions side by side</source>
        <translation>Versionen nebeneinander</translation>
    </message>
    <message>
        <source>another version</source>
        <translation>andere Version</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>draft, edited by you</source>
        <translation>Entwurf, von Ihnen bearbeitet</translation>
    </message>
</context>
<context>
    <name>WaitPage</name>
    <message>
        <source>Use QR instead</source>
        <translation>Mit QR-Code</translation>
    </message>
    <message>
        <source>Use phone number</source>
        <translation>Telefonnummer verwenden</translation>
    </message>
    <message>
        <source>When the time is up, the login continues automatically.</source>
        <translation>Nach Ablauf der Zeit geht die Anmeldung automatisch weiter.</translation>
    </message>
    <message>
        <source>You can close this and log in later.</source>
        <translation>Sie können dies schließen und sich später anmelden.</translation>
    </message>
</context>
<context>
    <name>WaitRing</name>
    <message>
        <source>until {time}</source>
        <translation>bis {time}</translation>
    </message>
    <message>
        <source>{left} left, {until}</source>
        <translation>noch {left}, {until}</translation>
    </message>
</context>
<context>
    <name>Waterfall</name>
    <message>
        <source>Steps of the plan</source>
        <translation>Schritte des Plans</translation>
    </message>
</context>
<context>
    <name>WhatIfMode</name>
    <message numerus="yes">
        <source>%n line(s) changed</source>
        <translation>
            <numerusform>%n Zeile geändert</numerusform>
            <numerusform>%n Zeilen geändert</numerusform>
        </translation>
    </message>
    <message>
        <source>Apply to file…</source>
        <translation>In die Datei übernehmen …</translation>
    </message>
    <message>
        <source>Back to reading</source>
        <translation>Zurück zum Lesen</translation>
    </message>
    <message>
        <source>Build it again of today’s files</source>
        <translation>Aus den heutigen Dateien neu zusammensetzen</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Message {n}: {text}</source>
        <translation>Nachricht {n}: {text}</translation>
    </message>
    <message>
        <source>No draft of this chat waits for a decision</source>
        <translation>Kein Entwurf dieses Chats wartet auf eine Entscheidung</translation>
    </message>
    <message>
        <source>Nothing is changed in this part</source>
        <translation>In diesem Teil ist nichts geändert</translation>
    </message>
    <message>
        <source>Reset to the built text</source>
        <translation>Auf den zusammengesetzten Text zurücksetzen</translation>
    </message>
    <message>
        <source>Run dry</source>
        <translation>Probelauf</translation>
    </message>
    <message>
        <source>Text of the part</source>
        <translation>Text des Teils</translation>
    </message>
    <message>
        <source>This part does not stand in a file</source>
        <translation>Dieser Teil steht in keiner Datei</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Undo typing</source>
        <translation>Tippen rückgängig</translation>
    </message>
    <message>
        <source>What-if</source>
        <translation>Was-wäre-wenn</translation>
    </message>
    <message>
        <source>Written to {file}</source>
        <translation>In {file} geschrieben</translation>
    </message>
    <message>
        <source>before: {old}, now: {new}</source>
        <translation>vorher: {old}, jetzt: {new}</translation>
    </message>
    <message>
        <source>edited here only</source>
        <translation>nur hier geändert</translation>
    </message>
    <message>
        <source>{file} is as it was</source>
        <translation>{file} ist wieder wie zuvor</translation>
    </message>
    <message>
        <source>{n}  {title}</source>
        <translation>{n}  {title}</translation>
    </message>
    <message>
        <source>{part} (edited)</source>
        <translation>{part} (geändert)</translation>
    </message>
</context>
<context>
    <name>Why</name>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n Nachricht</numerusform>
            <numerusform>%n Nachrichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n newer message(s)</source>
        <translation>
            <numerusform>%n neuere Nachricht</numerusform>
            <numerusform>%n neuere Nachrichten</numerusform>
        </translation>
    </message>
    <message>
        <source>Account limited</source>
        <translation>Konto begrenzt</translation>
    </message>
    <message>
        <source>Auto: sends automatically</source>
        <translation>Automatik: sendet automatisch</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Countdown {n} s</source>
        <translation>Countdown {n} s</translation>
    </message>
    <message>
        <source>Left out of the reply</source>
        <translation>Aus der Antwort weggelassen</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Observe: plans are only shown</source>
        <translation>Beobachten: Pläne werden nur gezeigt</translation>
    </message>
    <message>
        <source>Off: nothing is planned</source>
        <translation>Aus: nichts wird geplant</translation>
    </message>
    <message>
        <source>Quiet hours {hours}</source>
        <translation>Ruhezeiten {hours}</translation>
    </message>
    <message>
        <source>Review: messages wait for you</source>
        <translation>Prüfen: Nachrichten warten auf Sie</translation>
    </message>
    <message>
        <source>Telegram did not answer. Check the chat before you send it again</source>
        <translation>Telegram hat nicht geantwortet; vor erneutem Senden bitte im Chat nachsehen</translation>
    </message>
    <message>
        <source>Telegram did not say whether this account has muted the chat</source>
        <translation>Telegram hat nicht mitgeteilt, ob dieses Konto den Chat stummgeschaltet hat</translation>
    </message>
    <message>
        <source>Telegram did not say whom this account has blocked. It may have blocked the sender</source>
        <translation>Telegram hat nicht mitgeteilt, wen dieses Konto blockiert hat; vielleicht auch diesen Absender</translation>
    </message>
    <message>
        <source>Telegram has frozen this account: it can read, but not write; appeal through @SpamBot</source>
        <translation>Telegram hat dieses Konto eingefroren: es kann lesen, aber nicht schreiben; Einspruch bei @SpamBot</translation>
    </message>
    <message>
        <source>Telegram limited this account</source>
        <translation>Telegram hat dieses Konto begrenzt</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>Your instruction</source>
        <translation>Ihre Anweisung</translation>
    </message>
    <message>
        <source>a draft set aside; no rule decides for it</source>
        <translation>ein zurückgelegter Entwurf; keine Regel entscheidet darüber</translation>
    </message>
    <message>
        <source>a step before it was rejected, skipped or edited</source>
        <translation>ein Schritt davor wurde abgelehnt, übersprungen oder bearbeitet</translation>
    </message>
    <message>
        <source>about {cost}</source>
        <translation>etwa {cost}</translation>
    </message>
    <message>
        <source>always asks, one by one</source>
        <translation>fragt immer, einzeln</translation>
    </message>
    <message>
        <source>checked again at the moment of sending</source>
        <translation>wird im Moment des Sendens noch einmal geprüft</translation>
    </message>
    <message>
        <source>default of the agent {agent}</source>
        <translation>Standard des Agenten {agent}</translation>
    </message>
    <message>
        <source>in this chat</source>
        <translation>in diesem Chat</translation>
    </message>
    <message>
        <source>in this chat; {n} of {cap} of this account</source>
        <translation>in diesem Chat; {n} von {cap} dieses Kontos</translation>
    </message>
    <message>
        <source>it was due more than 15 minutes ago</source>
        <translation>es war vor mehr als 15 Minuten fällig</translation>
    </message>
    <message>
        <source>it was held; no rule decides for this plan any more</source>
        <translation>es wurde angehalten; für diesen Plan entscheidet keine Regel mehr</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>noch keine</translation>
    </message>
    <message>
        <source>not affected</source>
        <translation>nicht betroffen</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>nothing is sent automatically</source>
        <translation>nichts wird automatisch gesendet</translation>
    </message>
    <message>
        <source>set by you for this chat</source>
        <translation>von Ihnen für diesen Chat gesetzt</translation>
    </message>
    <message>
        <source>the cap of automatic sends is reached</source>
        <translation>die Obergrenze für automatische Nachrichten ist erreicht</translation>
    </message>
    <message>
        <source>the default for all chats</source>
        <translation>der Standard für alle Chats</translation>
    </message>
    <message>
        <source>the model stopped before the end of its reply; check or edit the text</source>
        <translation>das Modell hörte vor dem Ende der Antwort auf; bitte den Text prüfen oder bearbeiten</translation>
    </message>
    <message>
        <source>the oldest: {day}, {time}</source>
        <translation>die älteste: {day}, {time}</translation>
    </message>
    <message>
        <source>this account has muted the chat; nothing is sent automatically there</source>
        <translation>dieses Konto hat den Chat stummgeschaltet; dort wird nichts automatisch gesendet</translation>
    </message>
    <message>
        <source>this account has not written here before; approving does not raise the level</source>
        <translation>dieses Konto hat hier noch nicht geschrieben; die Freigabe hebt die Stufe nicht</translation>
    </message>
    <message>
        <source>you wrote here yourself; the agent pauses</source>
        <translation>Sie haben hier selbst geschrieben; der Agent pausiert</translation>
    </message>
    <message>
        <source>{n} in, {m} out</source>
        <translation>{n} hinein, {m} heraus</translation>
    </message>
    <message>
        <source>{n} in, {m} out, {k} thinking</source>
        <translation>{n} hinein, {m} heraus, {k} Denken</translation>
    </message>
    <message>
        <source>{n} of {cap} automatic sends this hour</source>
        <translation>{n} von {cap} automatischen Nachrichten in dieser Stunde</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} s</translation>
    </message>
    <message>
        <source>{source}, until {time}</source>
        <translation>{source}, bis {time}</translation>
    </message>
    <message numerus="yes">
        <source>{time} in %n calls</source>
        <translation>
            <numerusform>{time} in %n Aufruf</numerusform>
            <numerusform>{time} in %n Aufrufen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{time}, %n without a reply</source>
        <translation>
            <numerusform>{time}, %n ohne Antwort</numerusform>
            <numerusform>{time}, %n ohne Antwort</numerusform>
        </translation>
    </message>
    <message>
        <source>✎ {n} edited</source>
        <translation>✎ {n} bearbeitet</translation>
    </message>
    <message>
        <source>✓ {n} unchanged</source>
        <translation>✓ {n} unverändert</translation>
    </message>
    <message>
        <source>✗ {n} rejected</source>
        <translation>✗ {n} abgelehnt</translation>
    </message>
</context>
<context>
    <name>WhyPanel</name>
    <message>
        <source>30 days</source>
        <translation>30 Tage</translation>
    </message>
    <message>
        <source>Model call</source>
        <translation>Modellaufruf</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <source>Show context</source>
        <translation>Kontext zeigen</translation>
    </message>
    <message>
        <source>What it knew</source>
        <translation>Was bekannt war</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Why it asks</source>
        <translation>Warum gefragt wird</translation>
    </message>
    <message>
        <source>Your decisions in this chat</source>
        <translation>Entscheidungen hier</translation>
    </message>
</context>
<context>
    <name>WordDiff</name>
    <message>
        <source>added: {words}</source>
        <translation>hinzugefügt: {words}</translation>
    </message>
    <message>
        <source>nothing changed</source>
        <translation>nichts geändert</translation>
    </message>
    <message>
        <source>removed: {words}</source>
        <translation>entfernt: {words}</translation>
    </message>
</context>
<context>
    <name>_AccountPart</name>
    <message>
        <source>Nothing is selected</source>
        <translation>Nichts ausgewählt</translation>
    </message>
    <message>
        <source>Saving your decision…</source>
        <translation>Ihre Entscheidung wird gespeichert …</translation>
    </message>
    <message numerus="yes">
        <source>Send %n selected</source>
        <translation>
            <numerusform>%n ausgewählte senden</numerusform>
            <numerusform>%n ausgewählte senden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Send %n selected of {agent}</source>
        <translation>
            <numerusform>%n ausgewählte von {agent} senden</numerusform>
            <numerusform>%n ausgewählte von {agent} senden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_CodeCard</name>
    <message>
        <source>Code {code}, {about}</source>
        <translation>Code {code}, {about}</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the code of {phone}</source>
        <translation>Code von {phone} kopieren</translation>
    </message>
    <message>
        <source>a phrase, by SMS</source>
        <translation>ein Satz, per SMS</translation>
    </message>
    <message>
        <source>a word, by SMS</source>
        <translation>ein Wort, per SMS</translation>
    </message>
    <message>
        <source>by SMS</source>
        <translation>per SMS</translation>
    </message>
    <message>
        <source>by call</source>
        <translation>per Anruf</translation>
    </message>
    <message>
        <source>in Telegram</source>
        <translation>in Telegram</translation>
    </message>
</context>
<context>
    <name>_Delegate</name>
    <message>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
</context>
<context>
    <name>_Field</name>
    <message>
        <source>Search or type a command</source>
        <translation>Suchen oder Befehl eingeben</translation>
    </message>
</context>
<context>
    <name>_Head</name>
    <message>
        <source>Today against its cap</source>
        <translation>Heute gegen die Grenze</translation>
    </message>
</context>
<context>
    <name>_Line</name>
    <message>
        <source>Someone</source>
        <translation>Jemand</translation>
    </message>
</context>
<context>
    <name>_Loser</name>
    <message>
        <source>Include once</source>
        <translation>Einmal aufnehmen</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>Zurücknehmen</translation>
    </message>
</context>
<context>
    <name>_RateHead</name>
    <message>
        <source>By rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>By you</source>
        <translation>Von Ihnen</translation>
    </message>
    <message>
        <source>Edit rate, 30 days</source>
        <translation>Änderungsquote, 30 Tage</translation>
    </message>
    <message>
        <source>Edited</source>
        <translation>Geändert</translation>
    </message>
</context>
<context>
    <name>_RateList</name>
    <message>
        <source>{who}: {by_you} by you, {by_rule} by a rule, edit rate {rate}</source>
        <translation>{who}: {by_you} von Ihnen, {by_rule} nach Regel, Änderungsquote {rate}</translation>
    </message>
</context>
<context>
    <name>_Row</name>
    <message>
        <source>Bring back now: {what}</source>
        <translation>Jetzt zurückholen: {what}</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Show the card: {what}</source>
        <translation>Karte zeigen: {what}</translation>
    </message>
    <message>
        <source>line {n}</source>
        <translation>Zeile {n}</translation>
    </message>
    <message>
        <source>{field}: {problem}</source>
        <translation>{field}: {problem}</translation>
    </message>
    <message>
        <source>{who}, postponed until {time}</source>
        <translation>{who}, zurückgestellt bis {time}</translation>
    </message>
</context>
<context>
    <name>_Ruler</name>
    <message>
        <source>+{n} min</source>
        <translation>+{n} min</translation>
    </message>
    <message>
        <source>now {time}</source>
        <translation>jetzt {time}</translation>
    </message>
</context>
<context>
    <name>_Tokens</name>
    <message>
        <source>Next prompt of</source>
        <translation>Nächster Prompt von</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Token</translation>
    </message>
</context>
</TS>
