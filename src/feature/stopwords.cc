// SPDX-License-Identifier: Apache-2.0
#include "feature/stopwords.h"

namespace twinsift {

const std::array<StopwordList, 15> kStopwordLists = {{
    {"danish",
     "ad af alle alt altid anden andet andre at blev blevet bliver bort burde da de dem den denne "
     "deres derfor der derved det dette dig din dine disse dit dog du efter ej eller en end endnu "
     "er et få får fik flere for fordi fra før gennem god ham han hans har havde have hele hen "
     "hende hendes her hos hun hvad hvem hver hvert hvilken hvis hvor hvordan hvorfor i igen ikke "
     "ind ingen intet jeg jer jeres jo kan kun kunne lige man mange med meget mellem men mens mere "
     "mig min mine mit mod må måtte ned nej noget nogen nogle nok nu når og også om op os over på "
     "sammen sig selv siden sin sine sit skal skulle som stadig så sådan thi til uden ud under var "
     "ved vi vil ville vor vores være været"},
    {"dutch",
     "aan al alle alles als altijd andere ben bent bij daar daarom dan dat de deze die dit doch "
     "doen door dus een en er ge geen geweest haar had hadden hare heb hebben heeft hem het hier "
     "hij hoe hun ieder iemand iets ik in is ja je jij jou jouw jullie kan kon kunnen maar me meer "
     "men met mij mijn moet moeten mogen na naar niet niets nog nu of om omdat onder ons onze ook "
     "op over reeds sinds te tegen toch toen tot tussen u uit uw van vanaf veel verder via voor "
     "waar waarom waren was wat we wel welke werd werden wie wij wil worden wordt zal ze zelf zich "
     "zij zijn zo zonder zou zouden zulke"},
    {"english",
     "a about above after again against all also although am an and any are as at be because been "
     "before being below between both but by can cannot could did do does doing down during each "
     "either else ever every few for from further had has have having he her here hers herself him "
     "himself his how i if in into is it its itself just least less may me might mine more most "
     "much must my myself neither no nor not now of off on once one only onto or other our ours "
     "ourselves out over own per rather same shall she should since so some such than that the "
     "their theirs them themselves then there these they this those though through thus to too "
     "under until up upon us very was we were what when where whether which while who whom whose "
     "why will with within without would yet you your yours yourself yourselves don't doesn't "
     "didn't isn't aren't wasn't weren't can't won't wouldn't couldn't shouldn't hasn't haven't "
     "it's i'm that's there's"},
    {"finnish",
     "aina ehkä ei eikä eivät ennen että he heidän heidät heille hän hänen hänet häneltä hänelle "
     "ilman itse ja jo joka joiden joista jolla jolle jonka jossa josta jota joten jotka jotta jos "
     "joko joku kaikki kanssa kautta keskellä kenen koska kuin kuinka kuka kuitenkin kun kuten "
     "kyllä me meidän meille meillä melko mihin mikä mikäli miksi millä minkä minun minut minulla "
     "minulle minä missä mistä mitkä mitä mukaan mutta muut muiden myös ne niiden niille niin "
     "niistä niitä noin nuo nyt näiden näin näitä nämä näissä ole oleva olen olemme olet olette "
     "oli olin olisi olisin olisivat olivat olla ollut olleet on ovat paitsi poikki sekä sen se "
     "siellä siihen siinä siis siitä sillä silloin sinun sinut sinulla sinulle sinä sitten sitä "
     "tai te teidän teille tuo tuon tähän tällä tämä tämän tänne tässä tästä tätä vaan vai "
     "vaikka vain varten vielä voi voivat yli"},
    {"french",
     "a afin ai ainsi alors après as au aucun aucune aujourd'hui aussi autre autres aux avaient "
     "avait avant avec avez avoir avons c c'est car ce ceci cela celle celles celui ces cet cette "
     "ceux chaque chez ci comme comment d dans de depuis des dont donc du elle elles en encore "
     "entre es est et étaient était étant été être eu eux fait il ils j je jusqu'à l la là "
     "laquelle le lequel les lesquels leur leurs lors lorsque lui ma mais me même mêmes mes moi "
     "moins mon n ne ni nos notre nous n'a n'est on ont or ou où par parce pas pendant peu peut "
     "plus pour pourquoi qu qu'elle qu'il qu'on quand que quel quelle quelles quels qui quoi s sa "
     "sans se sera seront ses si soit son sont sous suis sur t ta tandis te tes toi ton toujours "
     "tous tout toute toutes très tu un une vers voici vos votre vous y"},
    {"german",
     "aber alle allem allen aller alles als also am an andere anderen anderer auch auf aus bei bin "
     "bis bist da dadurch daher damit dann das dass dein deine dem den denn der deren des dessen "
     "die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer "
     "eines er es etwas euch euer für gegen gibt hab habe haben hat hatte hatten hier hinter ich "
     "ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist jede jedem jeden jeder jedes "
     "jedoch jener kann kein keine keinen keiner können könnte man manche mehr mein meine meinem "
     "meinen meiner mich mir mit muss müssen nach nicht nichts noch nun nur ob obwohl oder ohne "
     "sehr sein seine seinem seinen seiner seit selbst sich sie sind so sogar solche soll sollen "
     "sollte sondern sonst über um und uns unser unsere unter viel vom von vor wann war waren "
     "warum was weil welche welcher wenn wer werden wie wieder will wir wird wo wurde wurden würde "
     "zu zum zur zwar zwischen"},
    {"hungarian",
     "a abban addig ahhoz ahogy ahol aki akik akkor akár alatt amely amelyek amelyet ami amikor "
     "amit annak arra arról az azok azokat azoknak azon azonban azt aztán azért át bár be belül "
     "benne csak de e egy egyéb egyik egymás ekkor el elég ellen előtt elő emellett én éppen "
     "erre és ez ezek ezen ezt ezzel ezért fel felé fölött ha hanem hát hiszen hogy hogyan hol "
     "ide igen így ill ilyen is itt jobban jól kell kellett keresztül ki kívül közben között közül "
     "le legalább legyen lehet lenne lesz lett ma maga majd már más meg mellett mert mely melyek "
     "mi mielőtt miért mikor milyen mind minden mindig mint mintha mit mivel most nagyon ne "
     "nekem neki nélkül nem nincs ő ők őket olyan ott össze pedig persze s saját sem semmi se soha "
     "sokkal során számára szerint szinte talán te tehát teljes többi tovább továbbá ugyanis úgy "
     "utána után vagy vagyis vagyok valaki valami való van vannak vele vissza viszont volna volt "
     "voltak"},
    {"italian",
     "a abbiamo ad agli ai al alcuni alla alle allo allora altra altre altri altro anche ancora "
     "avere aveva avevano avete c che chi ci ciò coi col come con contro cosa così cui d da dagli "
     "dai dal dalla dalle dallo degli dei del della delle dello dentro di dopo dove dunque e ebbe "
     "ecco ed egli era erano essere essi è fino fra fu furono già gli ha hai hanno ho i il in io l "
     "la le lei li lo loro lui lungo ma me mentre mi mia mie miei mio molto ne negli nei nel nella "
     "nelle nello nessuno no noi non nostra nostro o ogni oppure ora per perché perciò però più "
     "poi poiché prima può qua quale quali qualcuno quando quanto quasi quella quelle quelli "
     "quello questa queste questi questo qui quindi sarà se sei sempre senza si sia siamo siete "
     "solo sono sopra sotto sta stata stati stato su sua sue sugli sui sul sulla sulle suo suoi "
     "tra troppo tu tua tuo tutta tutte tutti tutto un una uno verso vi voi vostra vostro"},
    {"norwegian",
     "alle alltid alt andre at av bare begge ble bli blir blitt både da de deg dei den denne der "
     "deres derfor det dette din disse dit ditt du eg ein eit eller en enn er et etter ett for "
     "fordi fra få får før ha hadde han hans har henne hennes her hit hjå ho hos hun hva hvem hver "
     "hvert hverandre hvilken hvis hvor hvordan hvorfor i igjen ikke ikkje ingen inn inni ja jeg "
     "kan kom kommer kun kunne kva kven langs man mange me med meg meget mellom men mens mer min "
     "mitt mot mye må måtte ned nei noe noen nok nå når og også om opp oss over på seg selv si "
     "siden sin sine sitt sjøl skal skulle slik som så sånn til under ut uten var vart varte ved "
     "vere vet vi vil ville vår være vært å"},
    {"portuguese",
     "a à ainda algo alguém algum alguns antes ao aos apenas após aquela aquelas aquele aqueles "
     "aquilo as às assim até cada com como contra da das de dela dele deles depois desde dessa "
     "desse desta deste disso do dos durante e é ela elas ele eles em embora enquanto entre era "
     "eram essa essas esse esses esta está estão estas estava este estes estou eu foi for foram há "
     "isso isto já lá lhe lhes logo mais mas me mesmo meu meus minha minhas muito muitos na não "
     "nas nem nenhum nessa nesse nesta neste ninguém no nos nós nossa nosso num numa o onde os ou "
     "outra outras outro outros para pela pelas pelo pelos perante pode pois por porque porém "
     "portanto pouco qual quando quanto quase que quem são se seja sem sempre sendo ser será seu "
     "seus si sido só sob sobre sua suas também tão tem têm temos tenho ter teve tinha toda todas "
     "todo todos tu tua tudo um uma umas uns você vocês"},
    {"romanian",
     "a abia acea aceasta această aceea acei aceia acel acela acele acelea acest acesta aceste "
     "acestea aceşti aceştia acolo acum ai aici aia al ale alt alta altă alte altora alţi am apoi "
     "ar are asemenea asta astfel atât au avea avem aveţi avut aşa că căci cam care căror cât câte "
     "câţi ce cea ceea cei cel cele celelalte chiar cine cineva ci cu cui cum când da dacă dar "
     "datorită de deci decât deja deoarece departe despre deşi din dintre după ea ei el ele era "
     "erau este eu face fără fi fie fiecare fiind foarte fost i iar îi îl îmi împotriva în înainte "
     "încă între întru îşi îţi la lângă le li lor lui mai mea mei mele mereu meu mult mulţi ne "
     "nici "
     "nimeni nişte noi noastre nostru nu o or ori pe pentru peste până poate prea prin sa să sale "
     "sau său se şi sunt suntem sub tot toate toată toţi totuşi tu un una unde unei unele unii "
     "unui "
     "unor unora va vă voi vor vostru vreo"},
    {"russian",
     "а без более больше будет будто бы был была были было быть в вам вас ведь весь вдруг во вот "
     "впрочем все всегда всего всех всё вы где да даже для до другой его ее её если есть ещё еще "
     "ж же за зачем здесь и из или им иногда их к как какая какой когда кто куда ли либо лучше "
     "между меня мне много может можно мой моя мы на над надо наконец нас не него нее неё ней "
     "нельзя нет ни нибудь никогда ним них ничего но ну о об один однако он она они оно опять от "
     "перед по под после потом потому почему почти поэтому при про раз разве с сам свою свой себе "
     "себя сейчас со совсем так также такой там тебя тем теперь то тогда того тоже той только том "
     "тот тут ты у уж уже хоть хотя чего чей чем через что чтоб чтобы чуть эта эти этим этих это "
     "этого этой этом этот эту я"},
    {"spanish",
     "a ahora al algo alguien alguna algunas alguno algunos allí ante antes aquel aquella aquellos "
     "aquí así aun aún aunque bajo bien cada casi como cómo con contra cual cuál cuales cualquier "
     "cuando cuanto de del desde después donde dónde dos durante e el él ella ellas ello ellos en "
     "entonces entre era eran es esa esas ese eso esos esta está están estaba estaban estas este "
     "esto estos fue fueron ha había habían haber hacia han has hasta hay he incluso jamás junto "
     "la "
     "las le les lo los luego más me mi mientras mío mis mismo mucho muchos muy nada nadie ni "
     "ninguno no nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque "
     "pues que qué quien quién quienes se sea según ser será si sí sido siempre sin sino sobre "
     "sois "
     "solo sólo somos son soy su sus suya suyo también tampoco tan tanto te tenemos tener tengo "
     "tiene tienen toda todas todavía todo todos tras tu tú tus un una unas uno unos usted "
     "vosotros "
     "vuestra vuestro y ya yo"},
    {"swedish",
     "alla allt alltid alltså andra annan annat att av bara blev bli blir blivit både dag de dem "
     "den denna deras dess dessa det detta dig din dina ditt du där därför då efter eftersom ej "
     "eller en er era ett fast få får före för från genom ha hade han hans har hela henne hennes "
     "hon honom hur här i icke igen in ingen inget innan inom inte ja jag ju kan kom kommer kunde "
     "man med mellan men mer mest mig min mina mitt mot mycket många måste ned nej nere ni nog nu "
     "någon något några när och också om oss på redan samma sedan sig sin sina sitt ska skall "
     "skulle som så sådan till tills trots under upp ut utan vad var vara varandra varför varit "
     "varje vars vart vem vi vid vilka vilken vilket vill åt än är även över"},
    {"turkish",
     "acaba ama ancak artık asla aslında ayrıca az bana bazen bazı bazıları belki ben beni benim "
     "bile bir biraz birçok biri birkaç birşey biz bize bizi bizim böyle bu buna bunda bundan "
     "bunlar bunları bunların bunu bunun burada bütün çoğu çok çünkü da daha dahi de defa değil "
     "demek diğer diye dolayı en eğer fakat gene gibi göre hala halde hangi hani hatta hem henüz "
     "hep hepsi her herhangi herkes hiç hiçbir için içinde ile ise işte kadar karşı kendi kendini "
     "ki kim kime kimi kimse lakin madem mi mı mu mü nasıl ne neden nedenle nerede nereye niçin "
     "niye o olan olarak oldu olduğu olmak olmadan olsa olur ona ondan onlar onları onların onu "
     "onun orada oysa öbür önce öteki öyle öyleyse rağmen sadece sanki sen seni senin siz sizi "
     "sizin sonra şey şöyle şu şunu tabii tüm üzere üzerinde var vardır ve veya ya yani yerine "
     "yine yok yoksa yüzden zaman zaten"},
}};

}  // namespace twinsift
