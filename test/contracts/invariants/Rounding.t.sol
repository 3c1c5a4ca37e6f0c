// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {WaywardToken} from "../../../contracts/mocks/WaywardToken.sol";
import {IPlanEscrow} from "../../../contracts/interfaces/IPlanEscrow.sol";
import {deployEscrow} from "./Deploy.sol";

/// @title Every share there is, from 0 to 10000 basis points: pay, fee and what stays in the plan come to the whole
contract Rounding {
    uint256 private constant STEPS = 64;
    uint96 private constant AMOUNT = 999_999_937;
    uint16 private constant FEE = 333;

    IPlanEscrow private _escrow;
    WaywardToken private _token;

    function setUp() public {
        _token = new WaywardToken();
        address[] memory tokens = new address[](1);
        tokens[0] = address(_token);
        _escrow = IPlanEscrow(deployEscrow(tokens));
        _token.mint(address(this), type(uint128).max);
        _token.approve(address(_escrow), type(uint256).max);
    }

    /// @notice 13: client and payee are this contract, so that each offer needs no signature.
    function test_everyShareAddsUp() public {
        for (uint256 from = 0; from <= 10_000; from += STEPS) _split(from);
    }

    function _split(uint256 from) private {
        IPlanEscrow.Charter memory charter;
        charter.steps = new IPlanEscrow.Step[](STEPS);
        for (uint256 i = 0; i < STEPS; ++i) charter.steps[i] = IPlanEscrow.Step(address(this), AMOUNT);
        IPlanEscrow.Terms memory terms;
        (terms.client, terms.token, terms.total) = (address(this), address(_token), uint96(STEPS) * AMOUNT * 2);
        terms.workBy = terms.reviewBy = terms.expiry = uint40(block.timestamp + 1);
        (terms.feeBps, terms.feeTo, terms.evaluator) = (FEE, address(0xfee), address(0xe));
        terms.charter = keccak256(
            abi.encode(keccak256(abi.encode(charter.steps)), keccak256(abi.encode(charter.royalties)), bytes32(0))
        );
        terms.salt = from;
        _escrow.fund(terms);
        bytes32 id = _escrow.planId(terms);
        for (uint256 i = 0; i < STEPS && from + i <= 10_000; ++i) {
            uint256 bps = from + i;
            (, uint96 before,,,,,,) = _escrow.plan(id);
            uint256 held = _token.balanceOf(address(this));
            uint256 fees = _escrow.credit(address(_token), address(0xfee));
            _escrow.acceptOffer(terms, charter, uint8(i), uint16(bps), type(uint40).max, "", "");
            (, uint96 left,,,,,,) = _escrow.plan(id);
            uint256 paid = _token.balanceOf(address(this)) - held;
            uint256 fee = _escrow.credit(address(_token), address(0xfee)) - fees;
            require(paid == uint256(AMOUNT) * bps / 10_000, "13: another share than was agreed");
            require(fee == paid * FEE / 10_000, "8: another fee than was signed");
            require(uint256(before) - left == paid + fee, "13: a split does not add up");
        }
    }
}
