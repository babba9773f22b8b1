// SPDX-License-Identifier: Apache-2.0
// Written by circuits/test/verifier-source.test.ts (`npx vitest -u`): anyone can forge its proofs. Do not edit.
pragma solidity ^0.8.24;

/// @notice Verifies Groth16 proofs over BN254.
/// @dev A proof (A, B, C) is valid for signals s when e(A, B) = e(alpha, beta) e(L, gamma) e(C, delta), where
/// L = IC0 + s[0] IC1 + s[1] IC2 + and so on (Groth, 2016). The constants are -alpha, -IC and -delta, so the product
/// e(A, B) e(-alpha, beta) e(-L, gamma) e(C, -delta) must be one and no point is negated here. The precompiles (EIP-196,
/// EIP-197) refuse coordinates outside the field, points off the curve and points of G2 outside the group.
contract TrapdoorVerifier {
    // Order of the group: a signal is below it, so that each statement has one form.
    uint256 private constant ORDER = 21888242871839275222246405745257275088548364400416034343698204186575808495617;

    // Verification key. A coordinate in G2 is I * i + R.
    uint256 private constant MINUS_ALPHA_X = 8332103133143899450219654607561578617598272684207633940636550313104513563654;
    uint256 private constant MINUS_ALPHA_Y = 4281545291654431611120498603748917119068450336378350513422323558273173334573;
    uint256 private constant BETA_X_I = 11086714184347252460628179349080389714730180332181579422348434893147550927587;
    uint256 private constant BETA_X_R = 10706005185823258823478514584640758434460678821887654191127411848873829156953;
    uint256 private constant BETA_Y_I = 8017004533760942575326264650987851605249329544908399450018829841934111599852;
    uint256 private constant BETA_Y_R = 13446098091272592436116972134771912752754363319457192596112740392581958774533;
    uint256 private constant GAMMA_X_I = 18064277113009877573202748002709906831571279050688873945931368666898883887835;
    uint256 private constant GAMMA_X_R = 18540542435233471060208813115698299582094460513888113527788317632418205299184;
    uint256 private constant GAMMA_Y_I = 7566631034211989214533637442802090888434856838553147350672463350904188583625;
    uint256 private constant GAMMA_Y_R = 20594464080947940039274970600515132358665360033356604992894668510903405366045;
    uint256 private constant MINUS_DELTA_X_I = 2472236142410072795009496330660459337517506453249116079065845863972592665835;
    uint256 private constant MINUS_DELTA_X_R = 10219054074966918697646588513321213947453605649089680386318933627513019183584;
    uint256 private constant MINUS_DELTA_Y_I = 17628100290992948212081850151810351682907914064496043679115970449264259350531;
    uint256 private constant MINUS_DELTA_Y_R = 4798932577196561798768874451026756431269672319928321018594215141886957198354;
    uint256 private constant MINUS_IC0_X = 11616432888154365834379365071983947189722494802169405670030125005344758991826;
    uint256 private constant MINUS_IC0_Y = 12199846901768307455063626056702996621888347690053663905592530448118730909033;
    uint256 private constant MINUS_IC1_X = 12407351051068612298305533635125853797051882873190553666073797832817400129548;
    uint256 private constant MINUS_IC1_Y = 13513996526091121297688181017689566006165779355255346882174426937902542398088;
    uint256 private constant MINUS_IC2_X = 4334458221179799848996305731107149587271455796835867157756559661119899992953;
    uint256 private constant MINUS_IC2_Y = 19313134892202241535761712604017103782785109535375382794220553056671185267853;
    uint256 private constant MINUS_IC3_X = 20031821109058711559378724194802265720471018648829261910318561924779736977748;
    uint256 private constant MINUS_IC3_Y = 13394497062164924188500438019755232143583397057969145155714478130275986769098;
    uint256 private constant MINUS_IC4_X = 912984223906866211142654064486962351110545086046181546708426448715214208959;
    uint256 private constant MINUS_IC4_Y = 1058907846569111365996412484625882480001972685018418294629381495029619501534;
    uint256 private constant MINUS_IC5_X = 5113599699450696997942548029357951449199656742194614817163932176930112055480;
    uint256 private constant MINUS_IC5_Y = 9327352120193509373352976141287676505948118329634666924130336388438688604523;
    uint256 private constant MINUS_IC6_X = 16279215025985396559847299353396823991216930861758746331297648814049548979728;
    uint256 private constant MINUS_IC6_Y = 8237300089226615367022326557051731643422514892998946028805790229256763665236;
    uint256 private constant MINUS_IC7_X = 10465971573316938936129189873121998446998611465428569171461439399471853919366;
    uint256 private constant MINUS_IC7_Y = 2167469412282870857161353351613527171033458825364117469582284068235273018623;
    uint256 private constant MINUS_IC8_X = 5911418297287206555661161028807791190920843712327076681733031333110387820908;
    uint256 private constant MINUS_IC8_Y = 9739529078155055890308029168709638837684684038016937446510480738698441134736;
    uint256 private constant MINUS_IC9_X = 4147981572800765416778896087246804662393955800979202182454292518294561925954;
    uint256 private constant MINUS_IC9_Y = 16710775981147293243034900835029721848847174220182692326828538415319322587819;
    uint256 private constant MINUS_IC10_X = 13363769556184665622444473071670082905321966619972886431630099908849517311852;
    uint256 private constant MINUS_IC10_Y = 10230259163396171728172542592874347437086942824850854999125722643505523408909;
    uint256 private constant MINUS_IC11_X = 15574838977725138690600832004986538484889532356211694898362053264588785574751;
    uint256 private constant MINUS_IC11_Y = 10905906182639140253323830722948589740010395201362513202808246561207930820454;
    uint256 private constant MINUS_IC12_X = 20761216736736857744495546474755447103605519782853799937179194694572322746568;
    uint256 private constant MINUS_IC12_Y = 8518715264766410535273009543764184067532726366003900645619119837428683849633;
    uint256 private constant MINUS_IC13_X = 18619645883009506280428992498570483459129253418531745157861154550772552764162;
    uint256 private constant MINUS_IC13_Y = 10094966879497230294634750815167580238596982109450737049396929455973525174095;
    uint256 private constant MINUS_IC14_X = 21826675832218129260208982459707483536806190758669951063333853756029710313012;
    uint256 private constant MINUS_IC14_Y = 519178814108888485023143855273255504909781228637347127016164295565607902208;
    uint256 private constant MINUS_IC15_X = 19677110956238349300833954367223763069028030241979898804260058243744518022772;
    uint256 private constant MINUS_IC15_Y = 12156711557774484406276246891192892770057958568861356298333468744631343732532;
    uint256 private constant MINUS_IC16_X = 9987819529526221563868929876352441339699256001873655750022456120581708027147;
    uint256 private constant MINUS_IC16_Y = 101984703528656156752314906918639908540237077407526382988159533422854951772;
    uint256 private constant MINUS_IC17_X = 15797486029131718589176119213050582922882560620680170457142733686090448102374;
    uint256 private constant MINUS_IC17_Y = 19016707224807500238472199322809397614274974992117734468949417531861441030714;
    uint256 private constant MINUS_IC18_X = 1692179219518502557210356936447491274850626132403438339219830806841428612570;
    uint256 private constant MINUS_IC18_Y = 16980469964541139312035268527701929803087597369224954976604969060685474711052;
    uint256 private constant MINUS_IC19_X = 2454440371498953447708279883460177417240121808294620179529295925525035173933;
    uint256 private constant MINUS_IC19_Y = 735157825147108564094194480227310260040886520760434498417139391536885958033;
    uint256 private constant MINUS_IC20_X = 18852619300297791509737886579779393603679519177032515328427385241503640308026;
    uint256 private constant MINUS_IC20_Y = 2648644344116336843487235123854751250927840055352675968776402797081369050827;

    /// @param b a point of G2, as the precompile takes it: the imaginary part of each coordinate comes first
    /// @return valid false also when a signal, a coordinate or a point is not one
    function verifyProof(
        uint256[2] calldata a,
        uint256[2][2] calldata b,
        uint256[2] calldata c,
        uint256[20] calldata signals
    ) external view returns (bool valid) {
        // Nothing is allocated, and the block ends the call: all of memory is its own. From zero, four points of G1 lie
        // there, each with one of G2. -L is summed in its place (0x180); gamma's is scratch until then.
        assembly {
            // Adds factor * (x, y) to -L. Ends the call when the factor is no signal, or a precompile fails.
            function addMultiple(x, y, factor) {
                mstore(0x1c0, x)
                mstore(0x1e0, y)
                mstore(0x200, factor)
                // ecMul (0x07) leaves the product where ecAdd (0x06) reads its second point.
                let done := staticcall(gas(), 0x07, 0x1c0, 0x60, 0x1c0, 0x40)
                done := and(done, eq(returndatasize(), 0x40))
                done := and(done, staticcall(gas(), 0x06, 0x180, 0x80, 0x180, 0x40))
                done := and(done, eq(returndatasize(), 0x40))
                if iszero(and(done, lt(factor, ORDER))) {
                    mstore(0x00, 0)
                    return(0x00, 0x20)
                }
            }

            mstore(0x180, MINUS_IC0_X)
            mstore(0x1a0, MINUS_IC0_Y)
            addMultiple(MINUS_IC1_X, MINUS_IC1_Y, calldataload(signals))
            addMultiple(MINUS_IC2_X, MINUS_IC2_Y, calldataload(add(signals, 0x20)))
            addMultiple(MINUS_IC3_X, MINUS_IC3_Y, calldataload(add(signals, 0x40)))
            addMultiple(MINUS_IC4_X, MINUS_IC4_Y, calldataload(add(signals, 0x60)))
            addMultiple(MINUS_IC5_X, MINUS_IC5_Y, calldataload(add(signals, 0x80)))
            addMultiple(MINUS_IC6_X, MINUS_IC6_Y, calldataload(add(signals, 0xa0)))
            addMultiple(MINUS_IC7_X, MINUS_IC7_Y, calldataload(add(signals, 0xc0)))
            addMultiple(MINUS_IC8_X, MINUS_IC8_Y, calldataload(add(signals, 0xe0)))
            addMultiple(MINUS_IC9_X, MINUS_IC9_Y, calldataload(add(signals, 0x100)))
            addMultiple(MINUS_IC10_X, MINUS_IC10_Y, calldataload(add(signals, 0x120)))
            addMultiple(MINUS_IC11_X, MINUS_IC11_Y, calldataload(add(signals, 0x140)))
            addMultiple(MINUS_IC12_X, MINUS_IC12_Y, calldataload(add(signals, 0x160)))
            addMultiple(MINUS_IC13_X, MINUS_IC13_Y, calldataload(add(signals, 0x180)))
            addMultiple(MINUS_IC14_X, MINUS_IC14_Y, calldataload(add(signals, 0x1a0)))
            addMultiple(MINUS_IC15_X, MINUS_IC15_Y, calldataload(add(signals, 0x1c0)))
            addMultiple(MINUS_IC16_X, MINUS_IC16_Y, calldataload(add(signals, 0x1e0)))
            addMultiple(MINUS_IC17_X, MINUS_IC17_Y, calldataload(add(signals, 0x200)))
            addMultiple(MINUS_IC18_X, MINUS_IC18_Y, calldataload(add(signals, 0x220)))
            addMultiple(MINUS_IC19_X, MINUS_IC19_Y, calldataload(add(signals, 0x240)))
            addMultiple(MINUS_IC20_X, MINUS_IC20_Y, calldataload(add(signals, 0x260)))
            calldatacopy(0x00, a, 0x40)
            calldatacopy(0x40, b, 0x80)
            mstore(0xc0, MINUS_ALPHA_X)
            mstore(0xe0, MINUS_ALPHA_Y)
            mstore(0x100, BETA_X_I)
            mstore(0x120, BETA_X_R)
            mstore(0x140, BETA_Y_I)
            mstore(0x160, BETA_Y_R)
            mstore(0x1c0, GAMMA_X_I)
            mstore(0x1e0, GAMMA_X_R)
            mstore(0x200, GAMMA_Y_I)
            mstore(0x220, GAMMA_Y_R)
            calldatacopy(0x240, c, 0x40)
            mstore(0x280, MINUS_DELTA_X_I)
            mstore(0x2a0, MINUS_DELTA_X_R)
            mstore(0x2c0, MINUS_DELTA_Y_I)
            mstore(0x2e0, MINUS_DELTA_Y_R)
            // ecPairing (0x08) returns 0 or 1, into a word of its own: without a precompile no other word is read.
            valid := staticcall(gas(), 0x08, 0x00, 0x300, 0x300, 0x20)
            valid := and(valid, eq(returndatasize(), 0x20))
            mstore(0x00, and(valid, eq(mload(0x300), 1)))
            return(0x00, 0x20)
        }
    }
}
