// SPDX-License-Identifier: Apache-2.0
// A paragraph in each of many languages, for tests of charsets and of languages.  They were
// written for this purpose and tell the same little story about a library and a river.
#pragma once

#include <string_view>

namespace twinsift::paragraphs {

inline constexpr std::string_view kDanish =
    "Det gamle bibliotek ligger ved åen, og der er altid nogen, som læser ved vinduet. Om vinteren "
    "bliver det tidligt mørkt, men lamperne brænder til klokken ni, og bibliotekaren laver te til "
    "dem, der bliver længe. Vi har ikke råd til nye bøger hvert år, så vi bytter med de andre byer "
    "langs åen. Når foråret kommer, sætter børnene sig på trappen og læser højt for hinanden, "
    "selv om de godt ved, at døren bliver låst før det er mørkt.";
inline constexpr std::string_view kDutch =
    "De oude bibliotheek staat aan de rivier en er is altijd wel iemand die bij het raam zit te "
    "lezen. In de winter wordt het vroeg donker, maar de lampen branden tot negen uur en de "
    "bibliothecaris zet thee voor wie lang blijft. Wij hebben geen geld voor nieuwe boeken, dus "
    "ruilen we die met de andere steden langs het water. Eén keer per jaar worden alle boeken "
    "geteld; dan blijkt dat er vijfentwintig zoek zijn en dat niemand weet waar ze zijn gebleven. "
    "Dat vindt de coördinator niet erg, want er zijn ideeën genoeg voor de lege planken.";
inline constexpr std::string_view kEnglish =
    "The old library stands beside the river, and there is always somebody who reads at the "
    "window. "
    "In winter it gets dark early, but the lamps burn until nine and the librarian makes tea for "
    "those who stay late. We have no money for new books every year, so we exchange them with the "
    "other towns along the water. When spring comes the children sit on the steps and read to each "
    "other, although they know that the door will be locked before it is dark.";
inline constexpr std::string_view kFinnish =
    "Vanha kirjasto on joen rannalla, ja siellä on aina joku, joka lukee ikkunan vieressä. "
    "Talvella "
    "tulee pimeä aikaisin, mutta lamput palavat yhdeksään asti, ja kirjastonhoitaja keittää teetä "
    "niille, jotka jäävät pitkäksi aikaa. Meillä ei ole varaa ostaa uusia kirjoja joka vuosi, "
    "joten "
    "me vaihdamme niitä muiden kaupunkien kanssa. Kun kevät tulee, lapset istuvat portailla ja "
    "lukevat toisilleen ääneen, vaikka he tietävät, että ovi on kiinni ennen kuin on pimeää.";
inline constexpr std::string_view kFrench =
    "La vieille bibliothèque se trouve près de la rivière, et il y a toujours quelqu'un qui lit à "
    "la fenêtre. En hiver, la nuit tombe tôt, mais les lampes brûlent jusqu'à neuf heures et le "
    "bibliothécaire prépare du thé pour ceux qui restent tard. Nous n'avons pas assez d'argent "
    "pour "
    "acheter des livres chaque année, alors nous les échangeons avec les autres villes. Quand le "
    "printemps est là, les élèves s'assoient sur les marches où ils lisent à voix haute, même "
    "s'ils "
    "savent que la porte sera fermée avant la nuit.";
inline constexpr std::string_view kGerman =
    "Die alte Bücherei steht am Fluss, und es gibt immer jemanden, der am Fenster liest. Im Winter "
    "wird es früh dunkel, aber die Lampen brennen bis neun Uhr, und der Bibliothekar kocht Tee für "
    "alle, die länger bleiben. Wir haben nicht genug Geld, um jedes Jahr neue Bücher zu kaufen, "
    "also "
    "tauschen wir sie mit den anderen Städten am Fluss. Wenn der Frühling kommt, sitzen die Kinder "
    "auf den Stufen vor der großen Tür und lesen sich etwas vor, obwohl sie wissen, dass sie "
    "geschlossen wird, bevor es dunkel ist.";
inline constexpr std::string_view kHungarian =
    "A régi könyvtár a folyó mellett áll, és mindig van valaki, aki az ablaknál olvas. Télen korán "
    "sötétedik, de a lámpák kilenc óráig égnek, és a könyvtáros teát főz azoknak, akik sokáig "
    "maradnak. Nincs elég pénzünk arra, hogy minden évben új könyveket vegyünk, ezért cserélünk a "
    "többi várossal, amelyek a víz mentén vannak. Amikor jön a tavasz, a gyerekek leülnek a "
    "lépcsőre, "
    "és felolvasnak egymásnak, bár tudják, hogy az ajtót már bezárják, mielőtt este lesz és hűvös.";
inline constexpr std::string_view kItalian =
    "La vecchia biblioteca sta vicino al fiume e c'è sempre qualcuno che legge alla finestra. "
    "D'inverno fa buio presto, ma le lampade restano accese fino alle nove e il bibliotecario "
    "prepara il tè per quelli che rimangono più a lungo. Non abbiamo abbastanza soldi per comprare "
    "libri ogni anno, perciò li scambiamo con le altre città. Quando arriva la primavera i bambini "
    "siedono sui gradini e leggono ad alta voce, anche se sanno che la porta sarà chiusa prima di "
    "sera; così è stato e così sarà, perché qui nulla cambia e nessuno può dire che sia un male.";
inline constexpr std::string_view kNorwegian =
    "Det gamle biblioteket ligger ved elva, og det er alltid noen som leser ved vinduet. Om "
    "vinteren blir det tidlig mørkt, men lampene brenner til klokka ni, og bibliotekaren lager te "
    "til dem som blir lenge. Vi har ikke råd til nye bøker hvert år, så vi bytter med de andre "
    "byene langs elva. Når våren kommer, setter barna seg på trappa og leser høyt for hverandre, "
    "selv om de vet at døra blir låst før det er mørkt. Ingen skjønner hvorfor, men slik har det "
    "vært siden jeg var liten, og jeg tror ikke at noe kommer til å bli annerledes etter oss.";
inline constexpr std::string_view kPortuguese =
    "A velha biblioteca fica junto ao rio e há sempre alguém que lê à janela. No inverno escurece "
    "cedo, mas as lâmpadas ficam acesas até às nove e o bibliotecário faz chá para os que não têm "
    "pressa. Não temos dinheiro para comprar livros todos os anos, por isso trocamos com as outras "
    "povoações da região. Quando chega a primavera, as crianças sentam-se nos degraus e leem umas "
    "às outras em voz alta, embora saibam que a porta será fechada antes de a noite cair. Ninguém "
    "sabe a razão, mas são estas as tradições que nós conhecemos.";
inline constexpr std::string_view kRomanian =
    "Biblioteca veche se află lângă râu şi este mereu cineva care citeşte la fereastră. Iarna se "
    "întunecă devreme, dar lămpile ard până la ora nouă, iar bibliotecarul face ceai pentru cei "
    "care rămân mai mult. Nu avem bani să cumpărăm cărţi noi în fiecare an, aşa că le schimbăm cu "
    "celelalte oraşe de pe malul apei. Când vine primăvara, copiii se aşază pe trepte şi îşi "
    "citesc "
    "unii altora, deşi ştiu că uşa va fi închisă înainte să se lase noaptea peste oraş.";
inline constexpr std::string_view kRussian =
    "Старая библиотека стоит у реки, и там всегда кто-нибудь читает у окна. Зимой темнеет рано, но "
    "лампы горят до девяти, и библиотекарь заваривает чай для тех, кто остаётся надолго. У нас нет "
    "денег, чтобы каждый год покупать новые книги, поэтому мы меняемся ими с другими городами. "
    "Когда приходит весна, дети садятся на ступеньки и читают друг другу вслух, хотя они знают, "
    "что дверь закроют ещё до того, как станет темно.";
inline constexpr std::string_view kSpanish =
    "La vieja biblioteca está junto al río y siempre hay alguien que lee en la ventana. En "
    "invierno "
    "oscurece temprano, pero las lámparas arden hasta las nueve y el bibliotecario prepara té para "
    "los que se quedan más tiempo. No tenemos dinero para comprar libros todos los años, así que "
    "los cambiamos con los otros pueblos de la orilla. Cuando llega la primavera, los niños se "
    "sientan en los escalones y leen unos a otros en voz alta, aunque saben que la puerta se "
    "cerrará antes de la noche. ¿Por qué? Nadie lo sabe; mañana será otro día, según dicen.";
inline constexpr std::string_view kSwedish =
    "Det gamla biblioteket ligger vid ån, och det är alltid någon som läser vid fönstret. På "
    "vintern blir det mörkt tidigt, men lamporna brinner till klockan nio och bibliotekarien kokar "
    "te åt dem som stannar länge. Vi har inte råd med nya böcker varje år, så vi byter med de "
    "andra "
    "städerna längs ån. När våren kommer sätter sig barnen på trappan och läser högt för varandra, "
    "fast de vet att dörren kommer att låsas innan det blir mörkt.";
inline constexpr std::string_view kTurkish =
    "Eski kütüphane ırmağın yanında durur ve pencerenin önünde her zaman okuyan biri vardır. Kışın "
    "hava erken kararır, ama lambalar saat dokuza kadar yanar ve kütüphaneci geç saate kadar "
    "kalanlar için çay yapar. Her yıl yeni kitaplar almak için paramız yok, bu yüzden onları öteki "
    "kasabalar ile değiştiriyoruz. Bahar geldiği zaman çocuklar basamaklara oturur ve birbirlerine "
    "yüksek sesle okurlar, çünkü kapının gece olmadan önce kapanacağını çok iyi bilirler.";

inline constexpr std::string_view kCzech =
    "Stará knihovna stojí u řeky a vždycky je tam někdo, kdo čte u okna. V zimě se brzy stmívá, "
    "ale "
    "lampy svítí až do devíti hodin a knihovník vaří čaj těm, kteří zůstávají dlouho. Nemáme dost "
    "peněz, abychom každý rok kupovali nové knížky, a proto si je vyměňujeme s ostatními městy. "
    "Když přijde jaro, děti si sednou na schody a čtou si navzájem nahlas, ačkoli vědí, že dveře "
    "se zavřou ještě před setměním. Možná je to škoda, ale nikdo se ještě nezeptal proč.";
inline constexpr std::string_view kPolish =
    "Stara biblioteka stoi nad rzeką i zawsze jest tam ktoś, kto czyta przy oknie. Zimą szybko "
    "robi "
    "się ciemno, ale lampy świecą do dziewiątej, a bibliotekarz parzy herbatę dla tych, którzy "
    "zostają dłużej. Nie mamy dość pieniędzy, żeby co roku kupować nowe książki, więc wymieniamy "
    "się nimi z innymi miastami. Kiedy przychodzi wiosna, dzieci siadają na schodach i czytają "
    "sobie nawzajem na głos, chociaż wiedzą, że drzwi będą zamknięte, zanim zapadnie noc.";
inline constexpr std::string_view kCroatian =
    "Stara knjižnica stoji uz rijeku i uvijek netko čita kraj prozora. Zimi se rano smrači, ali "
    "svjetiljke gore do devet sati, a knjižničar kuha čaj za one koji duže ostaju. Nemamo dovoljno "
    "novca da svake godine kupujemo nove knjige, pa ih mijenjamo s drugim gradovima. Kad dođe "
    "proljeće, djeca sjednu na stepenice i čitaju jedno drugome naglas, iako znaju da će se vrata "
    "zaključati prije nego što padne mrak. Možda ćemo sljedeće godine naći još nešto bolje.";
inline constexpr std::string_view kUkrainian =
    "Стара бібліотека стоїть біля річки, і там завжди хтось читає біля вікна. Узимку рано темніє, "
    "але лампи горять до дев'ятої, і бібліотекар заварює чай для тих, хто залишається надовго. Ми "
    "не маємо грошей, щоб щороку купувати нові книжки, тому обмінюємося ними з іншими містами. "
    "Коли приходить весна, діти сідають на сходи й читають одне одному вголос, хоча знають, що "
    "двері зачинять іще до того, як стемніє.";
inline constexpr std::string_view kBulgarian =
    "Старата библиотека се намира край реката и там винаги има някой, който чете до прозореца. "
    "През "
    "зимата се стъмва рано, но лампите светят до девет часа, а библиотекарят прави чай за онези, "
    "които остават до късно. Нямаме пари да купуваме нови книги всяка година, затова ги разменяме "
    "с другите градове. Когато дойде пролетта, децата сядат на стъпалата и си четат на глас, "
    "въпреки че знаят, че вратата ще бъде заключена, преди да падне нощта.";
inline constexpr std::string_view kGreek =
    "Η παλιά βιβλιοθήκη βρίσκεται δίπλα στο ποτάμι και υπάρχει πάντα κάποιος που διαβάζει στο "
    "παράθυρο. Τον χειμώνα νυχτώνει νωρίς, αλλά οι λάμπες καίνε ως τις εννέα και ο βιβλιοθηκάριος "
    "φτιάχνει τσάι για όσους μένουν ως αργά. Δεν έχουμε χρήματα για να αγοράζουμε καινούργια "
    "βιβλία "
    "κάθε χρόνο, γι' αυτό τα ανταλλάσσουμε με τις άλλες πόλεις. Όταν έρχεται η άνοιξη, τα παιδιά "
    "κάθονται στα σκαλιά και διαβάζουν το ένα στο άλλο, αν και ξέρουν ότι η πόρτα θα κλείσει.";
inline constexpr std::string_view kHebrew =
    "הספרייה הישנה עומדת ליד הנהר, ותמיד יש שם מישהו שקורא ליד החלון. בחורף מחשיך מוקדם, אבל "
    "המנורות דולקות עד תשע והספרן מכין תה לאלה שנשארים עד מאוחר. אין לנו כסף לקנות ספרים חדשים בכל "
    "שנה, ולכן אנחנו מחליפים אותם עם הערים האחרות. כשמגיע האביב יושבים הילדים על המדרגות וקוראים "
    "זה לזה בקול רם, אף על פי שהם יודעים שהדלת תינעל לפני שירד הלילה.";
inline constexpr std::string_view kArabic =
    "تقع المكتبة القديمة بجانب النهر، وهناك دائما شخص يقرأ عند النافذة. في الشتاء يحل الظلام "
    "مبكرا، "
    "ولكن المصابيح تبقى مضاءة حتى التاسعة، ويعد أمين المكتبة الشاي لمن يتأخرون. ليس لدينا مال "
    "لشراء كتب جديدة كل سنة، ولذلك نتبادلها مع المدن الأخرى. وعندما يأتي الربيع يجلس الأطفال على "
    "الدرج ويقرأ بعضهم لبعض بصوت عال، مع أنهم يعرفون أن الباب سيغلق قبل أن يهبط الليل.";
inline constexpr std::string_view kLithuanian =
    "Senoji biblioteka stovi prie upės, ir ten visada yra kas nors, kas skaito prie lango. Žiemą "
    "anksti sutemsta, bet lempos dega iki devynių, o bibliotekininkas verda arbatą tiems, kurie "
    "užsibūna ilgiau. Neturime pinigų kasmet pirkti naujų knygų, todėl mainomės jomis su kitais "
    "miestais. Kai ateina pavasaris, vaikai sėdasi ant laiptų ir skaito vieni kitiems balsu, nors "
    "žino, kad durys bus užrakintos dar prieš sutemstant. Galbūt kitąmet rasime ką nors geresnio.";
inline constexpr std::string_view kLatvian =
    "Vecā bibliotēka atrodas pie upes, un tur vienmēr kāds lasa pie loga. Ziemā agri satumst, bet "
    "lampas deg līdz deviņiem, un bibliotekārs vāra tēju tiem, kuri paliek ilgāk. Mums nav naudas, "
    "lai katru gadu pirktu jaunas grāmatas, tāpēc mēs tās mainām ar citām pilsētām. Kad atnāk "
    "pavasaris, bērni sēž uz kāpnēm un lasa cits citam priekšā, lai gan viņi zina, ka durvis "
    "aizslēgs, pirms kļūs tumšs.";
inline constexpr std::string_view kIcelandic =
    "Gamla bókasafnið stendur við ána og þar er alltaf einhver sem les við gluggann. Á veturna "
    "dimmir snemma en lamparnir loga til klukkan níu og bókavörðurinn hellir upp á te handa þeim "
    "sem sitja lengi. Við höfum ekki efni á nýjum bókum á hverju ári, svo við skiptum á þeim við "
    "hina bæina. Þegar vorið kemur setjast börnin á tröppurnar og lesa hvert fyrir annað, þó að "
    "þau "
    "viti að dyrunum verður læst áður en dimmir.";
inline constexpr std::string_view kThai =
    "ห้องสมุดเก่าตั้งอยู่ริมแม่น้ำ และมีคนนั่งอ่านหนังสืออยู่ที่หน้าต่างเสมอ ในฤดูหนาวฟ้ามืดเร็ว แต่ตะเกียงยังสว่างจนถึงสามทุ่ม "
    "และบรรณารักษ์ชงชาให้คนที่อยู่จนดึก เราไม่มีเงินซื้อหนังสือใหม่ทุกปี จึงแลกเปลี่ยนกับเมืองอื่น";
inline constexpr std::string_view kJapanese =
    "古い図書館は川のそばにあり、窓辺にはいつも本を読む人がいる。冬は早く暗くなるが、ランプは九時ま"
    "で"
    "灯っていて、司書は遅くまで残る人たちのためにお茶を入れてくれる。毎年新しい本を買うお金はないの"
    "で、"
    "川沿いのほかの町と交換している。春になると子どもたちは階段に座って、お互いに声を出して読み合う"
    "。"
    "暗くなる前に扉が閉まることを知っているのに、誰も急いで帰ろうとはしない。";
inline constexpr std::string_view kSimplifiedChinese =
    "旧图书馆在河边，窗前总有人在看书。冬天天黑得很早，但是灯一直亮到九点，图书管理员给留下来的人泡"
    "茶。"
    "我们没有钱每年买新书，所以和沿河的其他城市交换。春天来的时候，孩子们坐在台阶上互相朗读，虽然他"
    "们"
    "知道天黑以前大门就会关上。没有人问为什么，因为从我小的时候起就是这样，以后大概也不会改变。";
inline constexpr std::string_view kTraditionalChinese =
    "舊圖書館在河邊，窗前總有人在看書。冬天天黑得很早，但是燈一直亮到九點，圖書管理員給留下來的人泡"
    "茶。"
    "我們沒有錢每年買新書，所以和沿河的其他城市交換。春天來的時候，孩子們坐在臺階上互相朗讀，雖然他"
    "們"
    "知道天黑以前大門就會關上。沒有人問為什麼，因為從我小的時候起就是這樣，以後大概也不會改變。";
inline constexpr std::string_view kKorean =
    "오래된 도서관은 강가에 있고 창가에는 언제나 책을 읽는 사람이 있다. 겨울에는 일찍 어두워지지만 "
    "등불은 "
    "아홉 시까지 켜져 있고, 사서는 늦게까지 남아 있는 사람들을 위해 차를 끓인다. 해마다 새 책을 살 "
    "돈이 "
    "없어서 강을 따라 있는 다른 도시들과 책을 바꾼다. 봄이 오면 아이들은 계단에 앉아 서로에게 소리 "
    "내어 "
    "읽어 준다. 어두워지기 전에 문이 잠긴다는 것을 알면서도 아무도 서두르지 않는다.";

}  // namespace twinsift::paragraphs
