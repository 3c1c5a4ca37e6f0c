// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IReceiveWithAuthorization} from "../interfaces/IReceiveWithAuthorization.sol";

/// @title A token that breaks, per recipient, each assumption that is made about tokens. For tests only.
contract WaywardToken is ERC20, IReceiveWithAuthorization {
    enum Answer {
        True,
        Revert,
        False,
        Nothing,
        Garbage,
        Bomb,
        BurnGas,
        Lie
    }

    uint256 private constant BPS = 10_000;

    mapping(address account => Answer) public answerTo;
    uint256 public feeBps;

    constructor() ERC20("Wayward", "WAY") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @notice How a transfer to `account` is answered from now on. All but True and Nothing move no tokens.
    function setAnswer(address account, Answer answer) external {
        answerTo[account] = answer;
    }

    /// @notice What every transfer loses.
    function setFee(uint256 bps) external {
        feeBps = bps;
    }

    /// @dev Checks no signature: it stands for a token whose authorization has already been found good.
    function receiveWithAuthorization(address from, address to, uint256 value, uint256, uint256, bytes32, bytes calldata)
        external
    {
        _move(from, to, value);
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        return _answer(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        _spendAllowance(from, msg.sender, value);
        return _answer(from, to, value);
    }

    function _answer(address from, address to, uint256 value) private returns (bool) {
        Answer answer = answerTo[to];
        if (answer == Answer.Revert) revert("blocked");
        if (answer == Answer.False) return false;
        if (answer == Answer.Garbage) {
            assembly ("memory-safe") {
                mstore(0x00, 2)
                return(0x00, 0x20)
            }
        }
        if (answer == Answer.Bomb) {
            assembly {
                revert(0x00, 1000000)
            }
        }
        if (answer == Answer.BurnGas) {
            assembly ("memory-safe") {
                invalid()
            }
        }
        if (answer == Answer.Lie) return true;
        _move(from, to, value);
        if (answer == Answer.Nothing) {
            assembly ("memory-safe") {
                return(0x00, 0x00)
            }
        }
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        uint256 fee = value * feeBps / BPS;
        if (fee != 0) _burn(from, fee);
        _transfer(from, to, value - fee);
    }
}
